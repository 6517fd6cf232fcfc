// What was observed of a session, by this machine's observers or by another machine.
import type { SessionObservation } from "../../pipeline/event/track.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";

export interface ObservedSession {
  session: Pick<SessionRecord, "agent" | "session">;
  observation: SessionObservation;
  /** Such as "the agent records that it no longer waits". */
  why: string | undefined;
}
