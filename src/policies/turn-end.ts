// Whether the end of a turn is worth a message.
import { isAskingEnd } from "../model/event.ts";
import { formatDuration } from "../model/figures/duration.ts";
import { afterSubagentsMs, maxSubagentMs } from "../sessions/describe.ts";
import type { Session } from "../sessions/state.ts";
import { suppress, defer, isUrgent, type Decision, type NotNow, type Candidate } from "./decision.ts";

export const whileSubagentsRun = ["defer", "soften", "notify"] as const;
export type WhileSubagentsRun = (typeof whileSubagentsRun)[number];

function runningSubagents({ event }: Candidate): number {
  return event.name === "Stop" ? (event.runningHelpers ?? 0) : 0;
}

/** A subagent may never report its end. Once the agent works again, the end of that turn counts. */
export function subagentsPolicy(
  message: Candidate,
  setting: WhileSubagentsRun | undefined,
  { state }: Session,
  nowMs: number,
): NotNow | undefined {
  const running = runningSubagents(message);
  const usual = message.isForPeople ? "defer" : "notify";
  if (running === 0 || (setting ?? usual) !== "defer") return undefined;
  const hasEnded = state.kind === "waitsForHelpers" && state.helpers === 0;
  const until = hasEnded ? state.since + afterSubagentsMs : message.since + maxSubagentMs;
  if (until <= nowMs || state.kind === "gone" || state.kind === "done") return undefined;
  if (hasEnded) return defer("helpers", until, "its last subagent has just ended");
  return defer("helpers", until, `${count(running)} still ${running === 1 ? "runs" : "run"}`);
}

/** What is sent while subagents run has a lower level, where the rule says so. */
export function softened(decision: Decision, message: Candidate, setting: WhileSubagentsRun | undefined): Decision {
  const running = runningSubagents(message);
  if (decision.action !== "send" || setting !== "soften" || running === 0) return decision;
  return { why: `softened: ${count(running)} still running`, ...decision, level: "info" };
}

function count(subagents: number): string {
  return subagents === 1 ? "1 subagent" : `${subagents} subagents`;
}

/** Questions, also at the end of a turn, and errors are told however short the work was. */
export function longerThanPolicy({ event, level }: Candidate, longerThanMs: number | undefined): NotNow | undefined {
  if (longerThanMs === undefined || isUrgent(level) || isAskingEnd(event) || event.durationMs === undefined)
    return undefined;
  if (event.durationMs >= longerThanMs) return undefined;
  const took = formatDuration(event.durationMs);
  return suppress("longerThan", `the turn took ${took}, less than ${formatDuration(longerThanMs)}`);
}
