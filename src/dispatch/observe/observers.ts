// What an agent's hooks do not tell: each observer looks at one thing of a session, and may be left out.
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { Observation } from "../../sessions/reduce.ts";
import { processGone } from "./process-gone.ts";
import { createTurnStopped } from "./turn-stopped.ts";

/** Undefined where nothing is new. It is asked about sessions with an open turn or question only. */
export type Observer = (session: SessionRecord, nowMs: number) => Observation | undefined;

/** The first that sees something has the say. */
export function createObservers(): readonly Observer[] {
  return [createTurnStopped(), processGone];
}
