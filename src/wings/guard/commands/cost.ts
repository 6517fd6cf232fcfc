// `hookbell hooks --cost`: how long hooks took.
import { agentName } from "../../../agents/index.ts";
import { type ExitCode, exitCodes } from "../../../model/errors.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine } from "../../../console/output/text.ts";
import { complaintOf, costPeriodMs, type HookCost, measureHooks } from "../cost.ts";

export function showCost(io: CommandIo, isJson: boolean): ExitCode {
  const { env, places, platform, clock } = io;
  const costs = measureHooks({ env, home: places.home, platform }, clock.now());
  if (isJson)
    io.stdout(jsonLine({ days: days(), hooks: costs.map((cost) => ({ ...cost, secondsADay: perDay(cost) })) }));
  else io.stdout(table(io, costs));
  return exitCodes.done;
}

/** The hook that held agents up longest, if any did. */
export function slowestHook(
  { env, places, platform }: CommandIo,
  { from, to }: { from: number; to: number },
): string[] {
  const [worst] = measureHooks({ env, home: places.home, platform }, to, to - from).flatMap((cost) => {
    const complaint = complaintOf(cost);
    return complaint === undefined ? [] : [{ ...cost, complaint }];
  });
  return worst === undefined ? [] : [`${worst.command} ${worst.complaint}: hookbell hooks --cost`];
}

const days = (): number => Math.round(costPeriodMs / 86_400_000);

function perDay({ totalMs }: HookCost): number {
  return totalMs / 1000 / days();
}

function table(io: CommandIo, costs: readonly HookCost[]): string {
  const note = "Of these agents, Claude Code alone records how long its hooks take.\n";
  if (costs.length === 0) return `no agent recorded a hook in the last ${days()} days\n${note}`;
  const right = (header: string, cells: readonly string[]) => ({ header, cells, isRight: true });
  const complaints = costs.flatMap((cost) => {
    const complaint = complaintOf(cost);
    return complaint === undefined ? [] : [`${cost.command} ${complaint}\n`];
  });
  const rows = renderTable(
    [
      { header: "Hook", cells: costs.map(({ command }) => command), minWidth: 16 },
      { header: "Agent", cells: costs.map(({ agent }) => agentName(agent)), omit: 2 },
      { header: "Event", cells: costs.map(({ event }) => event), omit: 1 },
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
  return `${rows}${complaints.join("")}${note}`;
}
