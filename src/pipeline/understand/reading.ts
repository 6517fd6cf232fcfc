// A payload as it was read, and where it came in.
import type { PayloadReading } from "../../agents/read-payload.ts";

export type ValidReading = PayloadReading & { status: "valid" };

/** What planning needs of a payload; an event that no payload tells of has little. */
export type EventReading = Pick<
  ValidReading,
  "agentId" | "agentEvent" | "calledAs" | "drift" | "ignored" | "isShortened" | "payload"
>;

/** Where and when a payload came in; times are milliseconds since the epoch. */
export interface PayloadOrigin {
  eventId: string;
  receivedAt: number;
  position: string;
  callerPids: readonly number[];
  namedPid?: number | undefined;
  setupName?: string | undefined;
  /** The other machine that it comes from; `fromHost` has made the reading. */
  remoteHost?: string | undefined;
  /** Replaces the start of the turn in the session's record. */
  turnStartedAt?: number | undefined;
}
