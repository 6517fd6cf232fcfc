// What the pipeline uses of a fleet: the machines that share this person's events.
import type { IncomingPayload } from "../outbox/incoming.ts";

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
export type Turn =
  | { next: "tell"; note?: string | undefined }
  /** Milliseconds since the epoch, by this machine's clock. */
  | { next: "wait"; until: number }
  | { next: "leave"; why: string };

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
  turn(delivery: FleetDelivery): Promise<Turn>;
}
