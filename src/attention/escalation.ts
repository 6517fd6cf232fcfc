// Louder without an answer: further channels that hear of an event when the person has not reacted after some time.
import { formatDuration } from "../model/figures/duration.ts";
import type { Level } from "../model/level.ts";
import { hold, type Objection, type Weighed } from "./verdict.ts";

export interface EscalationStep {
  afterMs: number;
  /** Names of channels. */
  notify: readonly string[];
  /** Instead of the message's own. */
  level?: Level | undefined;
}

/** A step waits for its time as a message in the outbox; the person's reaction cancels it there. */
export function objectEscalation({ escalatesAfterMs, since }: Weighed, nowMs: number): Objection | undefined {
  if (escalatesAfterMs === undefined || nowMs >= since + escalatesAfterMs) return undefined;
  return hold(
    "escalation",
    since + escalatesAfterMs,
    `escalates after ${formatDuration(escalatesAfterMs)} without an answer`,
  );
}
