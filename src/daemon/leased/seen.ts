// What was observed of a session, by this machine's observers or by another machine.
import type { Observed } from "../../pipeline/observe/observer.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";

export interface Seen {
  session: Pick<SessionRecord, "agent" | "session">;
  observation: Observed;
  /** Such as "the agent records that it no longer waits". */
  why: string | undefined;
}
