// Whether the end of a turn is worth a message.
import { formatDuration } from "../model/figures/duration.ts";
import { afterHelpersMs, maxHelperMs } from "../sessions/describe.ts";
import type { Session } from "../sessions/state.ts";
import { drop, hold, isUrgent, type Objection, type Weighed } from "./verdict.ts";

export const whileHelpersRun = ["hold", "soften", "tell"] as const;
export type WhileHelpersRun = (typeof whileHelpersRun)[number];

function runningHelpers({ event }: Weighed): number {
  return event.name === "Stop" ? (event.runningHelpers ?? 0) : 0;
}

/** A helper may never report its end. Once the agent works again, the end of that turn counts. */
export function objectHelpers(
  message: Weighed,
  setting: WhileHelpersRun | undefined,
  { state }: Session,
  nowMs: number,
): Objection | undefined {
  const running = runningHelpers(message);
  const usual = message.isForPeople ? "hold" : "tell";
  if (running === 0 || (setting ?? usual) !== "hold") return undefined;
  const hasEnded = state.kind === "waitsForHelpers" && state.helpers === 0;
  const until = hasEnded ? state.since + afterHelpersMs : message.since + maxHelperMs;
  if (until <= nowMs || state.kind === "gone") return undefined;
  if (hasEnded) return hold("helpers", until, "its last helper has just ended");
  return hold("helpers", until, `${count(running)} still ${running === 1 ? "runs" : "run"}`);
}

export function softened(message: Weighed, setting: WhileHelpersRun | undefined): string | undefined {
  const running = runningHelpers(message);
  return setting === "soften" && running > 0 ? `softened: ${count(running)} still running` : undefined;
}

function count(helpers: number): string {
  return helpers === 1 ? "1 helper" : `${helpers} helpers`;
}

/** Questions and errors are told however short the work was. */
export function objectLongerThan({ event, level }: Weighed, longerThanMs: number | undefined): Objection | undefined {
  if (longerThanMs === undefined || isUrgent(level) || event.durationMs === undefined) return undefined;
  if (event.durationMs >= longerThanMs) return undefined;
  const took = formatDuration(event.durationMs);
  return drop("longerThan", `the turn took ${took}, less than ${formatDuration(longerThanMs)}`);
}
