// What every stage of the pipeline gets.
import type { Presence } from "../attention/presence.ts";
import type { SignsOfWork } from "../attention/stuck.ts";
import type { ChannelTools, ClickWatch } from "../channels/channel-type.ts";
import type { AgentTerminal } from "../model/agent-terminal.ts";
import type { Delivery } from "../model/delivery.ts";
import type { AgentEvent } from "../model/event.ts";
import type { Environment } from "../system/environment.ts";
import type { IncomingPayload } from "../outbox/incoming.ts";
import type { Layout } from "../outbox/layout.ts";
import type { RulesReader } from "./current-rules.ts";

/** The person's other machines, where there are any: what is published, and which machine tells. */
export interface FleetOfPerson {
  /** Puts a payload of this machine among those that are published. Durable after `sync`. */
  publish(incoming: IncomingPayload, event: AgentEvent, more?: PublishedFacts): void;
  sync(): Promise<void>;
  /** Claims the event of a delivery that waits, so that no other machine tells it meanwhile. */
  reserve(delivery: FleetDelivery): void;
  turn(delivery: FleetDelivery): Promise<Turn>;
}

/** `question`: its hook waits for an answer. `silence`: why no one is told, where figures count the event otherwise. */
export interface PublishedFacts {
  question?: { id: string; digest: string } | undefined;
  silence?: "repeat" | "ignored" | undefined;
}

export interface FleetDelivery {
  file: string;
  event: Pick<AgentEvent, "id" | "host">;
  /** Whether it shows a question with buttons. */
  asks: boolean;
}

/** Whether this machine tells it; `note` is a line that the message gets. `until` is in milliseconds since the epoch. */
export type Turn =
  | { next: "tell"; note?: string | undefined }
  | { next: "wait"; until: number }
  | { next: "leave"; why: string };

export interface Dispatcher extends RulesReader {
  layout: Layout;
  /** `env` is the environment of this moment: it grows by what the agents have. */
  readonly tools: Omit<ChannelTools, "signal">;
  addToEnvironment(found: Environment): void;
  host: string;
  /** Absent where nothing can look. */
  observePresence?: (
    terminal: AgentTerminal | undefined,
    env: Environment,
    of?: Pick<AgentEvent, "agent" | "session">,
  ) => Promise<Presence>;
  /** A replay knows from the journal whether a turn was stuck; elsewhere this machine's processes and files tell. */
  observeWork?: (stuck: AgentEvent) => SignsOfWork;
  /** Absent where the rules file names none. */
  fleet?: FleetOfPerson | undefined;
  /** It sends by itself what it adds. */
  isForeground?: boolean;
}

/** What a process offers a channel type because it stays to hear of answers and clicks. */
export interface Staying {
  /** Aborted when the question is over. */
  untilOver(question: string): AbortSignal;
  watchClick(delivery: Delivery): ClickWatch;
}

/** The person acted on one of the session's notifications; `how` is such as "clicked". */
export type NoteActed = (session: Pick<AgentEvent, "agent" | "session">, how: string, isAnswer?: boolean) => void;
