// The result of one attempt as data: the stage that records it can be repeated when the disk takes it at last.
import type { ChannelState } from "../channel/endpoint-policy.ts";
import type { Trace } from "../stages.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Outcome } from "../../model/outcome.ts";

export interface AttemptResult {
  file: string;
  delivery: Delivery;
  attempt: Attempt;
  trace: Trace;
  /** The list of all sessions that wait, where it was sent instead. */
  list?: ShownList | undefined;
}

export interface ShownList {
  delivery: Delivery;
  key: string;
  /** Whether it has taken the place of the message that rang. */
  hasTakenPlace: boolean;
}

export interface Attempt {
  /** The channel as it was before the attempt. */
  state: ChannelState;
  outcome: Outcome;
  /** Absent when the receiver was not asked. */
  secretsDigest?: string | undefined;
  startedAt: number;
}
