// Prints --help from the command table, without loading a command.
import { version } from "../system/version.ts";
import type { HookSetup } from "../agents/hook-setup.ts";
import type { CommandIo } from "../console/command-io.ts";
import { paint, wrap } from "../console/output/text.ts";
import type { Flag } from "../console/command-help.ts";
import { commandGroups, commandTable } from "./table.ts";

/** Lines longer than this are hard to read on a wide terminal. */
const maxColumns = 100;
const helpFlag = ["--help, -h", "show this help"] as const;

type HelpIo = Pick<CommandIo, "isColor" | "columns">;

/** The command that these words name: `channels add` before `channels`. */
export function commandOf(words: readonly string[]): string | undefined {
  const names = [words.slice(0, 2).join(" "), words[0] ?? ""];
  return names.find((name) => Object.hasOwn(commandTable, name));
}

/** Help for one command; empty for an unknown one. */
export async function helpFor(name: string, io: HelpIo): Promise<string> {
  const help = commandTable[name];
  if (help === undefined) return "";
  const columns = Math.min(io.columns, maxColumns);
  const usage = help.usage.map((each) => paint(io, "bold", wrapUsage(`hookbell ${each}`, columns - 4)));
  const details = [...(help.details ?? []), ...(help.isListingAgents === true ? [await listAgents()] : [])];
  const paragraphs = [`${capital(help.summary)}.`, ...details].map((text) => wrap(text, columns));
  const flags = [...Object.entries(help.flags).map(showFlag), helpFlag];
  const others = rowsOf(help.related ?? []);
  const related =
    others.length === 0 ? [] : ["", paint(io, "bold", "Another question:"), ...inTwoColumns(others, columns)];
  return [...usage, "", paragraphs.join("\n\n"), "", ...inTwoColumns(flags, columns), ...related, ""].join("\n");
}

/** What most people use most days, in the order in which they meet it. */
const everyday = ["init", "status", "why", "log", "mute", "channels", "board", "answer", "doctor", "uninstall"];

/** The output of `hookbell --help`: the commands of every day, and the names of the others by topic. */
export function overview(io: HelpIo): string {
  const columns = Math.min(io.columns, maxColumns);
  const first = rowsOf(everyday);
  const others = commandGroups.flatMap(({ title, commands }) => {
    const names = Object.keys(commands).filter((name) => !everyday.includes(name));
    return names.length === 0 ? [] : [[title, names.map(unbroken).join(", ")] as const];
  });
  const width = Math.max(...[...first, ...others].map(([left]) => left.length));
  return `${[
    wrap(
      `${paint(io, "bold", `hookbell ${version}`)}: know when a coding agent needs you, is done, or failed`,
      columns,
    ),
    "",
    paint(io, "bold", "Every day"),
    ...inTwoColumns(first, columns, width),
    "",
    paint(io, "bold", "More commands"),
    ...inTwoColumns(others, columns, width).map(breakable),
    "",
    wrap("hookbell COMMAND --help shows more. To start: hookbell init", columns),
  ].join("\n")}\n`;
}

/** Those of the commands that this hookbell has, with their summaries. */
function rowsOf(names: readonly string[]): (readonly [string, string])[] {
  return names.flatMap((name) => {
    const help = commandTable[name];
    return help === undefined ? [] : [[name, help.summary] as const];
  });
}

/** Keeps `[--flag VALUE]` on one line. */
function wrapUsage(text: string, columns: number): string {
  return breakable(wrap(text.replaceAll(/\[[^[\]]*\]/g, unbroken), columns, "    "));
}

/** Stays on one line when it is wrapped. */
function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00A0");
}

function breakable(text: string): string {
  return text.replaceAll("\u00A0", " ");
}

function showFlag([name, { short, value, usual, meaning }]: [string, Flag]): [string, string] {
  const spelled = [`--${name}${value === undefined ? "" : ` ${value}`}`, ...(short === undefined ? [] : [`-${short}`])];
  return [spelled.join(", "), usual === undefined ? meaning : `${meaning} (default: ${usual})`];
}

function inTwoColumns(
  rows: readonly (readonly [string, string])[],
  columns: number,
  width: number = Math.max(...rows.map(([left]) => left.length)),
): string[] {
  const indent = width + 4;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${wrap(right, columns - indent, " ".repeat(indent))}`);
}

async function listAgents(): Promise<string> {
  const { hookSetups } = await import("../agents/hook-setups.ts");
  const namesOf = (isUntried: boolean): string =>
    Object.entries<HookSetup>(hookSetups)
      .flatMap(([id, hookSetup]) => ((hookSetup.isUntried === true) === isUntried ? [id] : []))
      .join(", ");
  return `Agents: ${namesOf(false)}. From documentation, never tried: ${namesOf(true)}`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
