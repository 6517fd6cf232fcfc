// `hookbell hooks --cost`: how long hooks took.
import { agentName } from "../../../agents/index.ts";
import { type ExitCode, exitCodes } from "../../../model/errors.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine } from "../../../console/output/text.ts";
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

function perDay({ totalMs }: HookCost): number {
  return totalMs / 1000 / days();
}

function notes(costs: readonly HookCost[]): string {
  const names = Object.keys(hookRecords).map(agentName);
  const recorded = `recorded: by ${names.slice(0, -1).join(", ")} and ${names.at(-1)}; no other agent that was tried keeps such times\n`;
  const measured =
    "measured: hookbell's own hook, run a few times just now; its calls are those in hookbell's journal\n";
  return costs.some(({ source }) => source === "measured") ? recorded + measured : recorded;
}

function table(io: CommandIo, costs: readonly HookCost[]): string {
  if (costs.length === 0) return `no agent recorded a hook in the last ${days()} days\n${notes(costs)}`;
  const right = (header: string, cells: readonly string[]) => ({ header, cells, isRight: true });
  const complaints = costs.flatMap((cost) => complaintOf(cost) ?? []).map((complaint) => `${complaint}\n`);
  const rows = renderTable(
    [
      { header: "Hook", cells: costs.map(namesOf), minWidth: 16, isKey: false },
      { header: "Agent", cells: costs.map(({ agent }) => agentName(agent)), omit: 1 },
      { header: "Event", cells: costs.map(({ event }) => event) },
      { header: "From", cells: costs.map(({ source }) => source) },
      right(
        "Calls",
        costs.map(({ calls }) => String(calls)),
      ),
      right(
        "Median ms",
        costs.map(({ medianMs }) => String(Math.round(medianMs))),
      ),
      right(
        "95 % ms",
        costs.map(({ p95Ms }) => String(Math.round(p95Ms))),
      ),
      right(
        "s a day",
        costs.map((cost) => perDay(cost).toFixed(1)),
      ),
    ],
    io,
  );
  return `${rows}${complaints.join("")}${notes(costs)}`;
}
