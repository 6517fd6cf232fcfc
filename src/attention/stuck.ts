// A session that says nothing in the middle of a turn: one gentle message, and none while something is known to run.
import { formatDuration } from "../model/figures/duration.ts";
import { wasQuestion, type SessionState } from "./session.ts";
import { drop, hold, type Objection, type Weighed } from "./verdict.ts";

/** The name of the event that hookbell makes up when a turn begins, and sends when the turn is stuck. */
export const stuckEventName = "Stuck";

/** What a look at the machine says; an absent field is unknown. */
export interface SignsOfWork {
  /** When the session's transcript last grew, in milliseconds since the epoch. */
  transcriptGrewAt?: number | undefined;
  /** When its processes were last seen to use the processor, in milliseconds since the epoch. */
  lastBusyAt?: number | undefined;
  /** Whether the agent's process is gone. */
  isGone?: boolean | undefined;
}

/** The event's time is the start of the turn that the message watches over. */
export function objectStuck(
  { event, since }: Weighed,
  afterMs: number | undefined,
  { lastSeenAt, turnStartedAt, runningHelpers, toolStartedAt, open = [] }: SessionState,
  { transcriptGrewAt = 0, lastBusyAt = 0, isGone }: SignsOfWork,
  nowMs: number,
): Objection | undefined {
  if (event.name !== stuckEventName) return undefined;
  if (afterMs === undefined) return drop("stuck", "no rule asks for stuck sessions any more");
  if (turnStartedAt !== Date.parse(event.at)) return drop("stuck", "the turn is over");
  if (isGone === true) return undefined;
  if (open.some(wasQuestion)) return hold("stuck", nowMs + afterMs, "the session waits for an answer");
  if ((runningHelpers?.count ?? 0) > 0) return hold("stuck", nowMs + afterMs, "a helper runs");
  if (toolStartedAt !== undefined) return hold("stuck", nowMs + afterMs, "a tool runs");
  const lastSign = Math.min(nowMs, Math.max(since, lastSeenAt, transcriptGrewAt, lastBusyAt));
  if (nowMs - lastSign >= afterMs) return undefined;
  return hold("stuck", lastSign + afterMs, `last sign of work ${formatDuration(nowMs - lastSign)} ago`);
}
