// The hooks of a TOML file: one `[[hooks]]` table for each, of which every other byte stays.
import { type AST, getStaticTOMLValue } from "toml-eslint-parser";
import { addByHand, contentProblem, type InstallProblem } from "../problem.ts";
import type { CommandOwner } from "../command/owner.ts";
import type { HookEntry } from "../command/hook-command.ts";
import type { OwnerOfHook } from "./find-hooks.ts";
import type { TablesSource } from "./file-change.ts";
import { readText } from "./document.ts";
import { parseToml } from "./toml.ts";

export interface HookTable {
  event: string;
  owner: CommandOwner;
  values: Readonly<Record<string, unknown>>;
  /** The table in the text, from its header to the end of its last line. */
  from: number;
  to: number;
  /** The string of its command in the text. */
  command: readonly [from: number, to: number];
}

export interface TablesFile {
  path: string;
  text: string;
  tables: readonly HookTable[];
  /** Everything that is not hookbell's, to compare. */
  others: string;
}

/** A key beside these makes the agent refuse the file. */
const keysOfHook: readonly string[] = ["event", "matcher", "command", "timeout"];

/** Reports every problem of what hookbell would change; `isStrict` also those that keep the agent from running its hooks. */
export function readTables(
  source: TablesSource,
  ownerOf: OwnerOfHook,
  isStrict: boolean,
): { file: TablesFile } | { problems: InstallProblem[] } {
  const { path } = source;
  const read = readText(path, source.bytes ?? new Uint8Array(), source.file);
  if ("problems" in read) return read;
  const { text } = read;
  const problem = (offset: number | undefined, message: string, hint: string): InstallProblem =>
    contentProblem({ path, text }, offset, message, hint);
  const parsed = parseToml(text);
  if ("problem" in parsed) {
    const { index, message } = parsed.problem;
    const hint =
      index === undefined ? `make it smaller, or ${addByHand}` : "fix it or restore a backup, then run this again";
    return { problems: [problem(index, message, hint)] };
  }
  const { program } = parsed;
  const [top] = program.body;
  const problems = top.body.flatMap((node): InstallProblem[] => {
    if (!isOfHooks(node)) return [];
    if (isHookTable(node)) return [];
    const message = '"hooks" is not written as [[hooks]] tables, and TOML allows none beside it';
    return [problem(node.range[0], message, "write each hook as a [[hooks]] table of its own, then run this again")];
  });
  const found = top.body.filter(isHookTable).map((node) => ({ node, table: tableOf(node, text, ownerOf, path) }));
  for (const { node, table } of found) {
    if (!isStrict && table.owner !== "own") continue;
    for (const { key } of node.body) {
      const [name] = getStaticTOMLValue(key);
      if (keysOfHook.includes(String(name))) continue;
      const message = `"${String(name)}" may not be in a [[hooks]] table: the agent refuses the whole file`;
      problems.push(problem(key.range[0], message, "move it above the first table or remove it, then run this again"));
    }
  }
  if (problems.length > 0) return { problems };
  const tables = found.map(({ table }) => table);
  return { file: { path, text, tables, others: othersOf(program, tables) } };
}

export function ownTables(source: TablesSource, ownerOf: OwnerOfHook): readonly HookTable[] {
  const reading = readTables(source, ownerOf, false);
  return "file" in reading ? reading.file.tables.filter(isOwn) : [];
}

export function isOwn({ owner }: Pick<HookTable, "owner">): boolean {
  return owner === "own";
}

function isOfHooks(node: AST.TOMLTable | AST.TOMLKeyValue): boolean {
  return (node.type === "TOMLTable" ? node.resolvedKey : getStaticTOMLValue(node.key))[0] === "hooks";
}

function isHookTable(node: AST.TOMLTable | AST.TOMLKeyValue): node is AST.TOMLTable {
  return node.type === "TOMLTable" && node.kind === "array" && node.resolvedKey.length === 2 && isOfHooks(node);
}

function tableOf(node: AST.TOMLTable, text: string, ownerOf: OwnerOfHook, path: string): HookTable {
  const values = Object.fromEntries(
    node.body.map(({ key, value }) => [getStaticTOMLValue(key).join("."), getStaticTOMLValue(value)]),
  );
  const command = node.body.find(({ key }) => getStaticTOMLValue(key).join(".") === "command")?.value;
  const event = typeof values.event === "string" ? values.event : "";
  const owner =
    typeof values.command === "string" ? ownerOf(values.command, [], { path, event, members: values }) : "foreign";
  const lineEnd = text.indexOf("\n", node.range[1]);
  return {
    event,
    owner,
    values,
    from: node.range[0],
    to: lineEnd === -1 ? text.length : lineEnd + 1,
    command: command?.range ?? [node.range[0], node.range[0]],
  };
}

/** Dates and large numbers have no form in JSON. */
function othersOf(program: AST.TOMLProgram, tables: readonly HookTable[]): string {
  const { hooks, ...rest } = getStaticTOMLValue(program);
  const kept = Array.isArray(hooks) ? hooks.filter((_, index) => tables[index]?.owner !== "own") : [];
  return JSON.stringify([kept, rest], (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

/** Removes tables, each with the blank line above it, or below it at the start of the file. */
export function withoutTables({ text }: TablesFile, tables: readonly HookTable[]): string {
  return tables.toReversed().reduce((kept, { from, to }) => {
    const blank = /(?<=^|\n)\r?\n$/.exec(kept.slice(Math.max(0, from - 3), from))?.[0].length ?? 0;
    const before = kept.slice(0, from - blank);
    return before + (before === "" ? kept.slice(to).replace(/^\r?\n/, "") : kept.slice(to));
  }, text);
}

export function withCommand(text: string, { command: [from, to] }: HookTable, command: string): string {
  return text.slice(0, from) + JSON.stringify(command) + text.slice(to);
}

/** Each is a table at the end, which opens no table that a later line could belong to by mistake. */
export function appendTables(text: string, entries: readonly HookEntry[]): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const start = text === "" || text.endsWith("\n") ? text : text + lineEnd;
  const written = entries.map((entry) =>
    ["[[hooks]]", ...Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ""].join(
      lineEnd,
    ),
  );
  return [...(start === "" ? [] : [start]), ...written].join(lineEnd);
}
