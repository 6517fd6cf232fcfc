// Reads a TOML file and edits its top-level members in the text.
import { getStaticTOMLValue, ParseError, parseTOML, type AST } from "toml-eslint-parser";
import { contentProblem, type InstallProblem } from "../problem.ts";

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
    const hint = "fix it or restore a backup, then run this again";
    return { problems: [contentProblem({ path, text }, error.index, `this is not TOML (${error.message})`, hint)] };
  }
}

/** Before the first table. */
export function appendTomlMember({ text, members }: TomlDocument, name: string, value: readonly string[]): string {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const line = `${name} = [${value.map(tomlString).join(", ")}]`;
  const last = members.at(-1);
  // Only tables: what is before the first one, such as a comment, belongs to it.
  if (last === undefined) return line + lineEnd + text;
  const end = text.indexOf("\n", last.range[1]);
  return end === -1 ? text + lineEnd + line : text.slice(0, end + 1) + line + lineEnd + text.slice(end + 1);
}

/** And without its line when that is empty then. */
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
  // Without a line end of its own, it takes the one before it along.
  return tail[1] === "" ? kept.replace(/\r?\n$/, "") : kept + rest.slice(tail[0].length);
}

function isNamed({ key }: AST.TOMLKeyValue, name: string): boolean {
  const [only, ...more] = key.keys;
  return more.length === 0 && (only?.type === "TOMLBare" ? only.name : only?.value) === name;
}

/** JSON's escapes are also TOML's, but JSON leaves one control character as it is. */
function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll("\u007F", "\\u007F");
}
