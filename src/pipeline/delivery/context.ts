// What the stages of a delivery hand on: each adds the fields of one of these types. And what all of them may use.
import type { ReadyChannel } from "../channel/call-channel.ts";
import type { Dispatcher, QuestionsAndClicks } from "../dispatcher.ts";
import type { ChannelState } from "../channel/endpoint-policy.ts";
import type { SendRequest } from "../../channels/channel-type.ts";
import type { Delivery, DeliveryOf } from "../../model/delivery.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { HeldLease } from "../../outbox/lease/lease.ts";
import type { Channel } from "../../rules/rules.ts";
import type { AttemptResult, ShownList } from "./attempt.ts";
import type { Trace } from "../stages.ts";
import type { ChannelQueue, QueuedDelivery } from "./queue/channel-queue.ts";
import type { ChannelQueues } from "./queue/channel-queues.ts";

export interface DeliveryTools {
  dispatcher: Dispatcher;
  queues: ChannelQueues;
  lease: Pick<HeldLease, "renew">;
  /** Absent in a process that does not stay: it sends questions as ordinary messages. */
  questionsAndClicks?: QuestionsAndClicks | undefined;
  /** Ids of the fallbacks that were made: two channels with the same fallback do not use it twice. */
  fallbacks: Set<string>;
  /** Starts what follows a delivery, beside the next ones. Absent in a process that does not stay. */
  runBeside?: ((job: () => Promise<void>) => void) | undefined;
}

/** The next delivery of a queue. */
export interface Due {
  queue: ChannelQueue;
  waiting: QueuedDelivery;
}

export interface Collected extends Due {
  /** Those that a policy deferred together, and that leave together. Undefined for a delivery that no policy defers. */
  together: readonly string[] | undefined;
  /** Whether the time until which they are deferred has come: their session may have changed before it. */
  isDue: boolean;
}

export interface DecidedAgain extends Collected {
  /** Files that no policy defers any more. */
  released: readonly string[];
}

export interface Claimed extends DecidedAgain {
  /** Files of which this machine notifies now. */
  claimed: readonly string[];
}

/** Only a delivery that is sent by itself gets this far. */
export interface Merged extends Due {
  state: ChannelState;
}

export interface Opened extends Merged {
  startedAt: number;
  delivery: Delivery;
  /** A line that the message gets, from the fleet. */
  note: string | undefined;
  attempt: ChannelCall | Retraction | KnownOutcome;
  /** What this stage and those after it have found; what defers or ends a delivery before has a line of its own in the journal. */
  trace: Trace;
}

/** The channel is asked to show something. */
export interface ChannelCall {
  how: "call";
  channel: Channel;
  ready: ReadyChannel;
}

/** Earlier messages are taken back. */
export interface Retraction {
  how: "retract";
  delivery: DeliveryOf<"retraction">;
}

/** The outcome is known without asking the receiver. */
export interface KnownOutcome {
  how: "known";
  outcome: Outcome;
}

export interface Rendered extends Merged {
  startedAt: number;
  /** A question whose hook has gone is an event from here on. */
  delivery: Delivery;
  attempt: (ChannelCall & { form: Form }) | Retraction | KnownOutcome;
  trace: Trace;
}

/** What the channel is asked to show. */
export type Form =
  /** The open question, with buttons. */
  | ({ kind: "card" } & Shown)
  /** All sessions that wait, in place of one question; an older list that is not brought up to date says so first. */
  | ({ kind: "list"; list: ShownList; outdated: Shown | undefined } & Shown)
  /** The message of its own. */
  | ({ kind: "message" } & Shown);

export interface Shown {
  shown: Delivery;
  request: Pick<SendRequest<unknown>, "remembered" | "terminal" | "question" | "click" | "isSilent">;
}

export interface Sent extends Pick<Due, "queue"> {
  result: AttemptResult;
}

export interface Recorded extends Sent {
  state: NextState;
}

/** What becomes of the delivery. `added`: a fallback, notices. */
export type NextState = { added: DeliveryFile[] } & ({ next: "done" | "dead" } | { next: "retry"; notBefore: number });
