// Publishes what waits, up to a number at once, and removes each when the stream has acknowledged it.
import { messageOf } from "../../../model/errors.ts";
import type { Nats } from "../../../system/network/nats.ts";
import { eventSubject, limits, type Member } from "../names.ts";
import type { Unpublished, UnpublishedEvent } from "./unpublished.ts";

export interface Publisher {
  /** Publishes what waits. Resolves when nothing can be published now. */
  pump(): Promise<void>;
  /** Whether the stream may have the event although its acknowledgement has not come. */
  isTried(eventId: string): boolean;
}

export interface PublishEvents {
  /** What was told while the broker was away is claimed as such first, so that no other machine tells it again. */
  claimAsTold(eventId: string): Promise<void>;
  onPublished(waiting: UnpublishedEvent): void;
  /** The broker did not take an event: it is away, or the stream is full. */
  onFailed(why: string): void;
}

export function createPublisher(
  nats: Pick<Nats, "publish" | "isUp">,
  member: Member,
  unpublished: Unpublished,
  now: () => number,
  { claimAsTold, onPublished, onFailed }: PublishEvents,
  maxInFlight: number = limits.maxInFlight,
): Publisher {
  const tried = new Set<string>();
  let pumping: Promise<void> | undefined;
  let isStopped = false;

  const publish = async (eventId: string): Promise<void> => {
    const waiting = unpublished.read(eventId);
    if (waiting === undefined) return;
    const { body, isTold } = waiting;
    try {
      if (isTold) await claimAsTold(eventId);
      tried.add(eventId);
      await nats.publish(eventSubject(member, eventId), body, eventId, now());
      unpublished.remove(eventId);
      tried.delete(eventId);
      onPublished(waiting);
    } catch (error) {
      isStopped = true;
      onFailed(messageOf(error));
    }
  };
  /** Takes the next events as long as there are any, in so many lanes. */
  const work = async (): Promise<void> => {
    isStopped = false;
    const queue = unpublished.list().values();
    const lane = async (): Promise<void> => {
      for (const eventId of queue) {
        if (isStopped || !nats.isUp()) return;
        await publish(eventId);
      }
    };
    await Promise.all(Array.from({ length: maxInFlight }, lane));
    unpublished.settle();
  };
  return {
    async pump() {
      // The next pump takes what comes while one works.
      await pumping;
      pumping ??= work().finally(() => (pumping = undefined));
      await pumping;
    },
    isTried: (eventId) => tried.has(eventId),
  };
}
