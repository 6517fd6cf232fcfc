import { getStaticTOMLValue, ParseError, parseTOML, type AST } from "toml-eslint-parser";
import { contentProblem, type InstallProblem } from "../problem.ts";

/** A TOML file's text, taken apart as far as its top-level members need it. */
export interface TomlDocument {
  path: string;
  /** Without the byte order mark. */
  text: string;
  byteOrderMark: string;
  values: Readonly<Record<string, unknown>>;
  members: readonly AST.TOMLKeyValue[];
}

const byteOrderMark = "\uFEFF";

export function readToml(path: string, whole: string): { document: TomlDocument } | { problems: InstallProblem[] } {
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : "";
  const text = whole.slice(mark.length);
  try {
    const program = parseTOML(text);
    const members = program.body[0].body.filter((node) => node.type === "TOMLKeyValue");
    const values = getStaticTOMLValue(program) as Record<string, unknown>;
    return { document: { path, text, byteOrderMark: mark, values, members } };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const hint = "fix it, or put a backup back, then run this again";
    return { problems: [contentProblem({ path, text }, error.index, `this is not TOML (${error.message})`, hint)] };
  }
}

/** The text with one more member at the top level: after those that are there, before the first table. */
export function appendTomlMember({ text, members }: TomlDocument, name: string, value: readonly string[]): string {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const line = `${name} = [${value.map(tomlString).join(", ")}]`;
  const last = members.at(-1);
  // Nothing but tables: whatever stands before the first of them belongs to it.
  if (last === undefined) return line + lineEnd + text;
  const end = text.indexOf("\n", last.range[1]);
  return end === -1 ? text + lineEnd + line : text.slice(0, end + 1) + line + lineEnd + text.slice(end + 1);
}

/** The text without a member of the top level, and without its line when nothing else stands on it. */
export function removeTomlMember({ text, members }: TomlDocument, name: string): string {
  const member = members.find((candidate) => isNamed(candidate, name));
  if (member === undefined) return text;
  const [start, end] = member.range;
  const before = text.slice(0, start);
  const rest = text.slice(end);
  const lead = /[ \t]*$/.exec(before)?.[0].length ?? 0;
  const tail = /^[ \t]*(\r?\n|$)/.exec(rest);
  if (tail === null) return before.slice(0, start - lead) + rest.replace(/^[ \t]*/, "");
  const kept = before.slice(0, start - lead);
  // The last line without an end gives up the one before it, which came with it.
  return tail[1] === "" ? kept.replace(/\r?\n$/, "") : kept + rest.slice(tail[0].length);
}

/** Whether a member of the top level has this very name, however it is quoted. */
function isNamed({ key }: AST.TOMLKeyValue, name: string): boolean {
  const [only, ...more] = key.keys;
  return more.length === 0 && (only?.type === "TOMLBare" ? only.name : only?.value) === name;
}

/** JSON's escapes are TOML's as well, but for the one control character that JSON leaves alone. */
function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
}
