// One finding of `doctor`, and how findings are printed.
import { printableLine } from "../../model/text.ts";
import type { CommandIo } from "../command-io.ts";
import { paint, reportColumns, wrap } from "./text.ts";

/** What `doctor` checks, in the order of its report. */
export const areas = [
  "agents",
  "hooks",
  "remotes",
  "rules",
  "channels",
  "page",
  "platform",
  "fleet",
  "state",
  "queue",
] as const;
export type Area = (typeof areas)[number];

export type Finding = { text: string } & (
  | { status: "ok" }
  | {
      status: "warning" | "broken";
      /** What to do before running the command. */
      fix?: string | undefined;
      command: string;
    }
);

export const ok = (text: string): Finding => ({ status: "ok", text });
const problem =
  (status: "warning" | "broken") =>
  (text: string, command: string, fix?: string): Finding => ({ status, text, fix, command });
export const warning = problem("warning");
export const broken = problem("broken");

const marks = { ok: ["green", "ok     "], warning: ["yellow", "warning"], broken: ["red", "broken "] } as const;
const indent = " ".repeat(11);

/** Grouped by area; each ends with the command that fixes it. */
export function showFindings(
  findings: readonly (Finding & { area: Area })[],
  io: Pick<CommandIo, "isColor" | "isTerminal" | "columns">,
): string {
  const fold = (text: string): string => wrap(printableLine(text), reportColumns(io) - indent.length, indent);
  const areas = [...new Set(findings.map(({ area }) => area))];
  const blocks = areas.map((area) => {
    const rows = findings
      .filter((finding) => finding.area === area)
      .map((finding) => {
        const [style, mark] = marks[finding.status];
        const below =
          finding.status === "ok"
            ? []
            : [...(finding.fix === undefined ? [] : [fold(finding.fix)]), `$ ${finding.command}`];
        return [`  ${paint(io, style, mark)}  ${fold(finding.text)}`, ...below.map((line) => indent + line), ""].join(
          "\n",
        );
      });
    return `${paint(io, "bold", area)}\n${rows.join("")}`;
  });
  return blocks.join("\n");
}

/** `fix` is the whole text, for programs that read only that. */
export function findingAsJson(finding: Finding): object {
  if (finding.status === "ok") return finding;
  const { fix, command } = finding;
  return { ...finding, fix: fix === undefined ? command : `${fix}${fix.endsWith(":") ? "" : ";"} ${command}` };
}
