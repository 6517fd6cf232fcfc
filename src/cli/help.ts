// Prints --help from the command table, without loading a command.
import { version } from "../system/version.ts";
import type { HookSetup } from "../agents/hook-setup.ts";
import type { CommandIo } from "../console/command-io.ts";
import { paint, wrap } from "../console/output/text.ts";
import type { CommandHelp, Flag } from "../console/command-help.ts";
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
  return [...usage, "", paragraphs.join("\n\n"), "", ...inTwoColumns(flags, columns), ""].join("\n");
}

/** The output of `hookbell --help`. */
export function overview(io: HelpIo): string {
  const columns = Math.min(io.columns, maxColumns);
  const width = Math.max(...Object.keys(commandTable).map((name) => name.length));
  const groups = commandGroups.map(({ title, commands }) => {
    const rows = Object.entries<CommandHelp>(commands).map(([name, { summary }]) => [name, summary] as const);
    return [paint(io, "bold", title), ...inTwoColumns(rows, columns, width), ""].join("\n");
  });
  const first = `${paint(io, "bold", `hookbell ${version}`)}: know when a coding agent needs you, is done, or failed`;
  const last = "hookbell COMMAND --help shows more. To start: hookbell init, then hookbell test";
  return `${wrap(first, columns)}\n\n${groups.join("\n")}\n${wrap(last, columns)}\n`;
}

/** Keeps `[--flag VALUE]` on one line. */
function wrapUsage(text: string, columns: number): string {
  const joined = text.replaceAll(/\[[^[\]]*\]/g, (group) => group.replaceAll(" ", "\u00A0"));
  return wrap(joined, columns, "    ").replaceAll("\u00A0", " ");
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
