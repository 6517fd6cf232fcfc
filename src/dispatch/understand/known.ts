// What is known of an event beside its words. The journal keeps it, so that a replay decides by the same facts.
import type { Presence } from "../../attention/presence.ts";
import type { Observation } from "../../sessions/reduce.ts";
import type { CallFacts } from "../../sessions/signs.ts";

/** Absent fields are unknown or false. It holds ids, digests and times, none of the agent's words. */
export interface Known {
  /** The wiring that reported it, where it is not the usual one. */
  wiredBy?: string | undefined;
  /** A digest of the payload, where that tells one event from another. */
  payload?: string | undefined;
  /** The generic dialect, where an id may mean anything. */
  isOfManySessions?: true | undefined;
  /** A hook waits for the answer. */
  isAsked?: true | undefined;
  call?: Pick<CallFacts, "call" | "begunAt" | "helper" | "question"> | undefined;
  /** Where the person was. Absent where no rule asks, or where the machine does not say. */
  presence?: Presence | undefined;
  /** No hook told of the event. What an error said is in the event alone, which is scrubbed. */
  observed?: Pick<Observation, "at" | "source" | "kind"> | undefined;
}
