// Whether the end of a turn is worth a message.
import { formatDuration } from "../model/figures/duration.ts";
import type { SessionState } from "./session.ts";
import { drop, hold, isUrgent, type Objection, type Weighed } from "./verdict.ts";

export const whileHelpersRun = ["hold", "soften", "tell"] as const;
export type WhileHelpersRun = (typeof whileHelpersRun)[number];

/** A helper may never report its end. */
const maxHelperMs = 30 * 60_000;
/** The agent goes on by itself; the end of that turn counts. */
const afterHelpersMs = 10_000;

function runningHelpers({ event }: Weighed): number {
  return event.name === "Stop" ? (event.runningHelpers ?? 0) : 0;
}

/** An agent that counts no helpers is believed. */
export function objectHelpers(
  message: Weighed,
  setting: WhileHelpersRun | undefined,
  { runningHelpers: last }: SessionState,
  nowMs: number,
): Objection | undefined {
  const running = runningHelpers(message);
  const usual = message.isForPeople ? "hold" : "tell";
  if (running === 0 || (setting ?? usual) !== "hold") return undefined;
  const hasEnded = last !== undefined && last.count === 0 && last.at >= message.since;
  const until = hasEnded ? last.at + afterHelpersMs : message.since + maxHelperMs;
  if (until <= nowMs) return undefined;
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
