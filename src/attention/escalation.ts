// Further channels while no answer comes.
import { formatDuration } from "../model/figures/duration.ts";
import type { Level } from "../model/level.ts";
import { hold, type Objection, type Weighed } from "./verdict.ts";

export interface EscalationStep {
  afterMs: number;
  notify: readonly string[];
  level?: Level | undefined;
}

/** A step waits in the outbox, where an answer cancels it. */
export function objectEscalation({ escalatesAfterMs, since }: Weighed, nowMs: number): Objection | undefined {
  if (escalatesAfterMs === undefined || nowMs >= since + escalatesAfterMs) return undefined;
  return hold(
    "escalation",
    since + escalatesAfterMs,
    `escalates after ${formatDuration(escalatesAfterMs)} without an answer`,
  );
}
