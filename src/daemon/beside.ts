// What runs beside the deliveries while this dispatcher has the lease.
import type { Observed } from "../dispatch/observe/observer.ts";
import type { SessionRecord } from "../outbox/sessions.ts";

export interface Seen {
  session: Pick<SessionRecord, "agent" | "session">;
  observation: Observed;
  /** Such as "the agent records that it no longer waits". */
  why: string | undefined;
}

export interface Beside {
  look(): void;
  /** What it has observed of sessions since the last call. */
  seen(): Seen[];
  /** While something is busy, the dispatcher keeps running. */
  isBusy(): boolean;
  finish(): Promise<void>;
}
