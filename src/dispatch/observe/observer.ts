// What an agent's hooks do not tell: an observer looks at one thing of a session.
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { Observation } from "../../sessions/reduce.ts";

/** Undefined where nothing is new. It is asked about sessions with an open turn or question only. */
export type Observer = (session: SessionRecord, nowMs: number) => Observation | undefined;
