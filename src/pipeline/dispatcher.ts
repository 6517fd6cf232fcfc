// What every stage of the pipeline gets.
import type { Presence } from "../policies/presence.ts";
import type { SignsOfWork } from "../policies/stuck.ts";
import type { ChannelTools, ClickWatch } from "../channels/channel-type.ts";
import type { AgentTerminal } from "../model/places/agent-terminal.ts";
import type { Delivery } from "../model/delivery.ts";
import type { AgentEvent } from "../model/event.ts";
import type { Environment } from "../system/environment.ts";
import type { IncomingPayload } from "../outbox/incoming.ts";
import type { Layout } from "../outbox/layout.ts";
import type { RulesReader } from "./current-rules.ts";

export interface Dispatcher extends RulesReader {
  layout: Layout;
  /** `env` is the environment of this moment: it grows by what the agents have. */
  readonly tools: Omit<ChannelTools, "signal">;
  addToEnvironment(found: Environment): void;
  host: string;
  /** Absent if nothing can look for the person. */
  observePresence?: (
    terminal: AgentTerminal | undefined,
    env: Environment,
    of?: Pick<AgentEvent, "agent" | "session">,
  ) => Promise<Presence>;
  /** A replay knows from the journal whether a turn was stuck; elsewhere this machine's processes and files tell. */
  observeWork?: (stuck: AgentEvent) => SignsOfWork;
  /**
   * The person's other machines at this moment: what is published, and which machine tells. Undefined where the rules file
   * names no fleet, and in a process that does not stay.
   */
  fleet(): FleetPort | undefined;
  /** A foreground command itself sends the deliveries that it adds. */
  isForeground?: boolean;
}

/** As much of a dispatcher as writes records: also a command that sends nothing has it. */
export type Clocked = Pick<Dispatcher, "layout"> & { tools: Pick<Dispatcher["tools"], "clock"> };

/** What a process offers a channel type because it stays to hear of answers and clicks. */
export interface QuestionsAndClicks {
  /** Aborted when the question is over. */
  untilOver(question: string): AbortSignal;
  watchClick(delivery: Delivery): ClickWatch;
}

/** The user reacted to a notification of the session, or of its agent's limit; `how` is such as "clicked". */
export type NoteReaction = (
  session: Pick<AgentEvent, "agent" | "session"> & { isLimit?: boolean | undefined },
  how: string,
  isAnswer?: boolean,
) => void;

/** `question`: its hook waits for an answer. `silence`: why no one is told, where figures count the event otherwise. */
export interface PublishedFacts {
  question?: { id: string; digest: string } | undefined;
  silence?: "repeat" | "ignored" | undefined;
}

/** A delivery, as far as a fleet needs to know it. */
export interface FleetDelivery {
  file: string;
  event: { id: string; host: string };
  asks: boolean;
}

/** Whether this machine may notify of a delivery. */
export type ClaimDecision =
  | { next: "tell"; note?: string | undefined }
  /** Milliseconds since the epoch, by this machine's clock. */
  | { next: "wait"; until: number }
  | { next: "leave"; why: string };

/** What the pipeline uses of a fleet: the machines that share the user's events. */
export interface FleetPort {
  /** Puts a payload of this machine among those to publish. It is durable after `sync`. */
  publish(
    incoming: IncomingPayload,
    event: { id: string; agent: string; session: string },
    facts: PublishedFacts,
  ): void;
  /** Resolves when all that was published is durable. */
  sync(): Promise<void>;
  /** Claims the event of a delivery that waits, if this machine is the one to notify. */
  reserve(delivery: FleetDelivery): void;
  /** Whether this machine notifies of it now. */
  turn(delivery: FleetDelivery): Promise<ClaimDecision>;
}
