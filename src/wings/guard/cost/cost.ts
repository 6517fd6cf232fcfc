// How long hooks took: from what agents recorded of them, and of hookbell's own from runs of now.
import { agentName } from "../../../agents/index.ts";
import { ownerOf } from "../../../install/command/owner.ts";
import { recordStore } from "../../../install/record/record.ts";
import type { Places } from "../../../system/paths.ts";
import { shownCommand } from "../shown.ts";
import type { Machine } from "../launches/find.ts";
import { recordedCalls } from "./recorded.ts";

export interface HookCost {
  agent: string;
  event: string;
  /** They have no credentials any more. There are several where the agent ran them together, and none where it does not say which. */
  commands: readonly string[];
  /** hookbell's own, and no other with it. */
  isOwn: boolean;
  /** The agent's record, or runs of now, with the calls of the journal. */
  source: "recorded" | "measured";
  calls: number;
  /** Milliseconds; undefined where the agent kept no time of any call. */
  medianMs?: number;
  p95Ms?: number;
  totalMs?: number;
}

export interface CostPlaces extends Pick<Machine, "env" | "platform"> {
  places: Pick<Places, "home" | "stateDir">;
}

export const costPeriodMs = 7 * 86_400_000;

const maxCommand = 400;

/** The slowest in all comes first. */
export function recordedCosts(
  { env, places }: Pick<CostPlaces, "env" | "places">,
  now: number,
  periodMs = costPeriodMs,
): HookCost[] {
  const { hookPaths } = recordStore(places.stateDir).read();
  const isOwn = (command: string): boolean => ownerOf(command, [], "", hookPaths) === "own";
  const groups = new Map<
    string,
    { of: Pick<HookCost, "agent" | "event" | "commands">; calls: number; times: number[] }
  >();
  for (const { agent, event, commands, ms } of recordedCalls({ env, home: places.home }, now - periodMs)) {
    // It waited for the person, who may have taken minutes to answer: that is not what the hook costs.
    if (commands.some((command) => mayWait(command) && isOwn(command))) continue;
    const key = JSON.stringify([agent, event, ...commands]);
    const group = groups.get(key);
    const times = ms === undefined ? [] : [ms];
    if (group === undefined) groups.set(key, { of: { agent, event, commands }, calls: 1, times });
    else {
      group.calls += 1;
      group.times.push(...times);
    }
  }
  const costs = [...groups.values()].map(({ of: { agent, event, commands }, calls, times }) => {
    const row = {
      agent,
      event: shownCommand(event, maxCommand),
      commands: commands.map((command) => shownCommand(command, maxCommand)),
      isOwn: commands.length === 1 && commands.every(isOwn),
    };
    return costOf({ ...row, source: "recorded", calls }, times);
  });
  return costs.sort(bySum);
}

/** Whether a hook of hookbell's waits for an answer while the person is away. */
export function mayWait(command: string): boolean {
  return /\s--answer(?:\s|$)/.test(command);
}

/** The slowest in all comes first. */
export function bySum(one: HookCost, other: HookCost): number {
  return (other.totalMs ?? 0) - (one.totalMs ?? 0) || other.calls - one.calls;
}

export function costOf(of: Omit<HookCost, "medianMs" | "p95Ms" | "totalMs">, timesMs: readonly number[]): HookCost {
  if (timesMs.length === 0) return of;
  const sorted = timesMs.toSorted((one, other) => one - other);
  const meanMs = sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length;
  return { ...of, medianMs: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95), totalMs: meanMs * of.calls };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Events for which the agent waits again and again. */
const waits: readonly (readonly [event: RegExp, what: string])[] = [
  [/^(?:Pre|Post)ToolUse/i, "each tool call"],
  [/^PermissionRequest/i, "each question"],
  [/^UserPromptSubmit/i, "each prompt"],
];
const slowMs = 200;

/** What a person should know of it; undefined of a hook that holds nothing up. */
export function complaintOf(cost: HookCost): string | undefined {
  const { event, commands, medianMs, calls } = cost;
  const what = waits.find(([of]) => of.test(event))?.[1];
  if (what === undefined || medianMs === undefined || medianMs < slowMs || calls < 3) return undefined;
  const time = `${what} for ${Math.round(medianMs)} ms`;
  return commands.length === 1 ? `${namesOf(cost)} holds ${time}` : `${namesOf(cost)} together hold ${time}`;
}

/** The hooks of one row. */
export function namesOf({ agent, commands, isOwn }: Pick<HookCost, "agent" | "commands" | "isOwn">): string {
  if (isOwn) return `hookbell in ${agentName(agent)}`;
  return commands.length === 0 ? `all hooks of ${agentName(agent)}` : commands.join(" + ");
}
