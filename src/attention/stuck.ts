// A turn without any sign of work.
import { formatDuration } from "../model/figures/duration.ts";
import { wasQuestion } from "../model/event.ts";
import type { SessionState } from "./session.ts";
import { drop, hold, type Objection, type Weighed } from "./verdict.ts";

/** hookbell makes this event up when a turn begins, and sends it when the turn is stuck. */
export const stuckEventName = "Stuck";

/** Absent is unknown; times are milliseconds since the epoch. */
export interface SignsOfWork {
  transcriptGrewAt?: number | undefined;
  lastBusyAt?: number | undefined;
  isGone?: boolean | undefined;
}

/** The event's time is the start of the turn. */
export function objectStuck(
  { event, since }: Weighed,
  afterMs: number | undefined,
  { lastSeenAt, turnStartedAt, runningHelpers, toolStartedAt, open = [] }: SessionState,
  { transcriptGrewAt = 0, lastBusyAt = 0, isGone }: SignsOfWork,
  nowMs: number,
): Objection | undefined {
  if (event.name !== stuckEventName) return undefined;
  if (afterMs === undefined) return drop("stuck", "no rule names the event Stuck any more");
  if (turnStartedAt !== Date.parse(event.at)) return drop("stuck", "the turn is over");
  if (isGone === true) return undefined;
  if (open.some(wasQuestion)) return hold("stuck", nowMs + afterMs, "the session waits for an answer");
  if ((runningHelpers?.count ?? 0) > 0) return hold("stuck", nowMs + afterMs, "a helper runs");
  if (toolStartedAt !== undefined) return hold("stuck", nowMs + afterMs, "a tool runs");
  const lastSign = Math.min(nowMs, Math.max(since, lastSeenAt, transcriptGrewAt, lastBusyAt));
  if (nowMs - lastSign >= afterMs) return undefined;
  return hold("stuck", lastSign + afterMs, `last sign of work ${formatDuration(nowMs - lastSign)} ago`);
}
