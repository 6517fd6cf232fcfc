// `hookbell hooks --cost`: how long hooks took.
import { agentName } from "../../../agents/index.ts";
import { type ExitCode, exitCodes } from "../../../model/errors.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { type Column, describeLeftOut, naturalWidth, renderTable } from "../../../console/output/table.ts";
import { jsonLine, reportColumns, wrap, wrapLines } from "../../../console/output/text.ts";
import { bySum, complaintOf, costPeriodMs, type HookCost, namesOf, recordedCosts } from "../cost/cost.ts";
import { measuredCosts } from "../cost/measured.ts";
import { hookRecords } from "../cost/records.ts";

export async function showCost(io: CommandIo, isJson: boolean): Promise<ExitCode> {
  const recorded = recordedCosts(io, io.clock.now());
  const costs = [...recorded, ...(await measuredCosts(io, recorded))].sort(bySum);
  if (isJson)
    io.stdout(jsonLine({ days: days(), hooks: costs.map((cost) => ({ ...cost, secondsADay: perDay(cost) })) }));
  else io.stdout(table(io, costs));
  return exitCodes.done;
}

/** The hook that held agents up longest, if any did. */
export function slowestHook(io: CommandIo, { from, to }: { from: number; to: number }): string[] {
  const [worst] = recordedCosts(io, to, to - from).flatMap((cost) => complaintOf(cost) ?? []);
  return worst === undefined ? [] : [`${worst}: hookbell hooks --cost`];
}

const days = (): number => Math.round(costPeriodMs / 86_400_000);

function perDay({ totalMs }: HookCost): number | undefined {
  return totalMs === undefined ? undefined : totalMs / 1000 / days();
}

function notes(costs: readonly HookCost[]): string {
  const names = Object.keys(hookRecords).map(agentName);
  const recorded = `recorded: by ${names.slice(0, -1).join(", ")} and ${names.at(-1)}; no other agent that was tried keeps such times\n`;
  const measured =
    "measured: hookbell's own hook, run a few times just now; its calls are those in hookbell's journal\n";
  return costs.some(({ source }) => source === "measured") ? recorded + measured : recorded;
}

function table(io: CommandIo, costs: readonly HookCost[]): string {
  const fold = (text: string): string => wrapLines(text, reportColumns(io));
  if (costs.length === 0) return fold(`no agent recorded a hook in the last ${days()} days\n${notes(costs)}`);
  const complaints = costs.flatMap((cost) => complaintOf(cost) ?? []).map((complaint) => `${complaint}\n`);
  return rowsOf(io, costs) + fold(`${complaints.join("")}${notes(costs)}`);
}

const minName = 16;

/** Where names that are cut would look the same, each has a line of its own above its row. */
function rowsOf(io: CommandIo, costs: readonly HookCost[]): string {
  const names = costs.map(namesOf);
  const agents = costs.map(({ agent }) => agentName(agent));
  const number = (header: string, of: (cost: HookCost) => string | undefined, omit?: number): Column => ({
    header,
    cells: costs.map((cost) => of(cost) ?? "-"),
    isRight: true,
    ...(omit === undefined ? {} : { omit }),
  });
  const figures = (omit: boolean): Column[] => [
    { header: "Event", cells: costs.map(({ event }) => event) },
    { header: "From", cells: costs.map(({ source }) => source), ...(omit ? { omit: 2 } : {}) },
    number("Calls", ({ calls }) => String(calls)),
    number("Median ms", ({ medianMs }) => rounded(medianMs)),
    number("95 % ms", ({ p95Ms }) => rounded(p95Ms), omit ? 1 : undefined),
    number("s a day", (cost) => perDay(cost)?.toFixed(1)),
  ];
  const agent = { header: "Agent", cells: agents };
  const columns = reportColumns(io);
  for (const beside of [[agent, ...figures(false)], figures(false)]) {
    const room = columns - beside.reduce((sum, column) => sum + naturalWidth(column) + 2, 0);
    const seen = costs.map((_, row) => [
      cutName(names[row] ?? "", room),
      ...(beside.includes(agent) ? [agents[row]] : []),
    ]);
    const wanted = costs.map((_, row) => [names[row], agents[row]]);
    if (room < minName || countDistinct(seen) < countDistinct(wanted)) continue;
    return renderTable([{ header: "Hook", cells: names, minWidth: minName, isKey: false }, ...beside], io);
  }
  const leftOut = { headers: new Set<string>(), columns: 0 };
  const indent = "  ";
  const [header = "", ...rows] = renderTable(
    figures(true),
    { columns: columns - indent.length, isColor: io.isColor },
    leftOut,
  ).split("\n");
  const lines = costs.flatMap((cost, row) => {
    const name = cost.isOwn || cost.commands.length === 0 ? names[row] : `${names[row]} (${agents[row]})`;
    return [wrap(name ?? "", columns), `${indent}${rows[row]}`];
  });
  return `${[`${indent}${header}`, ...lines].join("\n")}\n${describeLeftOut({ ...leftOut, columns: leftOut.columns + indent.length }, io)}`;
}

function rounded(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : String(Math.round(ms));
}

function cutName(name: string, room: number): string {
  return name.length <= room ? name : name.slice(0, room - 1);
}

function countDistinct(rows: readonly unknown[]): number {
  return new Set(rows.map((row) => JSON.stringify(row))).size;
}
