// The outbox in memory: a queue for each channel, and how files come into the queues and leave them.
import type { Dispatcher } from "../../dispatcher.ts";
import { dueAt, readWaiting } from "../../channel/waiting-delivery.ts";
import type { Delivery } from "../../../model/delivery.ts";
import { isQuestion } from "../../../model/event.ts";
import {
  type DeliveryFile,
  escalationOf,
  isDeliveryFile,
  listDeliveries,
  positionIn,
  removeDelivery,
  summarisedBy,
} from "../../../outbox/deliveries/deliveries.ts";
import { listPositions } from "../../../outbox/incoming.ts";
import { writeJournal } from "../../../outbox/journal.ts";
import { ChannelQueue, type QueuedDelivery } from "./channel-queue.ts";

export class ChannelQueues {
  readonly byChannel = new Map<string, ChannelQueue>();
  readonly byFile = new Map<string, ChannelQueue>();
  /** The payload of these files is still in incoming/, so a crash would make them again. */
  readonly unsynced = new Set<string>();
  /** Files of a later version of hookbell. */
  private readonly leftAlone = new Set<string>();
  /** Files of steps of escalations. */
  private readonly steps = new Set<string>();
  private readonly dispatcher: Dispatcher;

  constructor(dispatcher: Dispatcher) {
    this.dispatcher = dispatcher;
  }

  isKnown(file: string): boolean {
    return this.byFile.has(file) || this.leftAlone.has(file) || this.unsynced.has(file);
  }

  find(file: string): QueuedDelivery | undefined {
    return this.byFile.get(file)?.waiting.get(file);
  }

  /** Does nothing if the file waits already. */
  enqueue(channel: string, delivery: QueuedDelivery): void {
    const { file } = delivery;
    if (this.byFile.has(file)) return;
    const queue = this.byChannel.get(channel) ?? new ChannelQueue(channel);
    this.byChannel.set(channel, queue);
    this.byFile.set(file, queue);
    queue.add(delivery);
    if (delivery.step !== undefined) this.steps.add(file);
  }

  add(added: DeliveryFile): void {
    this.enqueue(added.delivery.channel, queued(added));
  }

  dequeue(file: string): void {
    this.byFile.get(file)?.remove(file);
    this.steps.delete(file);
    this.byFile.delete(file);
  }

  /** Does nothing if the delivery no longer waits. */
  change(file: string, changes: Partial<Pick<QueuedDelivery, "notBefore" | "deferred" | "claim">>): void {
    const waiting = this.find(file);
    if (waiting !== undefined) Object.assign(waiting, changes);
  }

  deferUntil(file: string, until: number): void {
    const { deferred } = this.find(file) ?? {};
    this.change(file, { notBefore: until, deferred: deferred && { ...deferred, until } });
  }

  /** Puts one delivery in the place of others that are on the disk no more. */
  replace(removed: readonly string[], added: DeliveryFile): void {
    for (const file of removed) this.dequeue(file);
    this.add(added);
  }

  sort(): void {
    for (const queue of this.byChannel.values()) queue.sort();
  }

  /** Lets policies decide again about what they defer. */
  reconsider(now: number, isMeant: (waiting: QueuedDelivery) => boolean): void {
    for (const { waiting } of this.byChannel.values()) {
      for (const each of waiting.values()) {
        if (each.deferred !== undefined && isMeant(each)) each.notBefore = Math.min(each.notBefore, now);
      }
    }
  }

  /** Sessions with an escalation that waits. */
  escalating(): { agent: string; session: string }[] {
    const waiting = [...this.steps].flatMap((file) => {
      const { deferred, step } = this.find(file) ?? {};
      return deferred === undefined || step === undefined ? [] : [step];
    });
    return [...new Map(waiting.map((step) => [`${step.agent} ${step.session}`, step])).values()];
  }

  takeUpAll(): void {
    const { layout } = this.dispatcher;
    const dead = new Set(listDeliveries(layout, "dead"));
    const found = listDeliveries(layout, "outbox").filter((file) => !this.isKnown(file));
    // After a crash, the payload is taken in again and makes the same deliveries: sent before, they would go out twice.
    const untaken = found.length === 0 ? new Set() : listPositions(layout);
    const unknown = found.filter((file) => !untaken.has(positionIn(file)));
    const read = unknown.flatMap((file) => {
      const delivery = this.read(file);
      return delivery === undefined ? [] : [{ file, delivery }];
    });
    const summarised = new Set(read.flatMap(({ delivery }) => summarisedBy(delivery).map((each) => each.file)));
    for (const { file, delivery } of read) {
      // A crash came before this copy of the delivery was removed.
      if (dead.has(file) || summarised.has(file)) removeDelivery(layout, "outbox", file);
      else this.add({ file, delivery });
    }
  }

  /** A command may have added, sent, postponed or discarded the delivery. */
  takeUp(file: string): void {
    const queue = this.byFile.get(file);
    if (!isDeliveryFile(file) || this.unsynced.has(file)) return;
    if (queue?.sending === file || queue?.unrecorded?.file === file) return;
    const delivery = this.read(file);
    if (delivery === undefined) return this.dequeue(file);
    const due = dueAt(delivery);
    if (queue === undefined) {
      this.add({ file, delivery });
      // `hookbell retry` says that the receiver is back.
      this.byChannel.get(delivery.channel)?.reopen();
    } else if (delivery.hold === undefined) this.change(file, { notBefore: due });
    else {
      // What this dispatcher wrote itself must not undo that the session has gone on since, or that it was released.
      const { deferred } = this.find(file) ?? {};
      if (deferred !== undefined && deferred.until !== due) this.deferUntil(file, due);
    }
  }

  private read(file: string): Delivery | undefined {
    const { layout, tools } = this.dispatcher;
    const delivery = readWaiting(this.dispatcher, file);
    if (delivery !== "later") return delivery;
    if (!this.leftAlone.has(file)) {
      const detail = `outbox/${file} is of a later version of hookbell`;
      writeJournal(layout, tools.clock.now(), { kind: "dispatcher", what: "left alone", detail });
    }
    this.leftAlone.add(file);
    return undefined;
  }
}

/** What a queue keeps of the delivery. */
export function queued({ file, delivery }: DeliveryFile): QueuedDelivery {
  const { event, hold } = delivery;
  const escalatesAfterMs = escalationOf(delivery);
  const notBefore = dueAt(delivery);
  return {
    file,
    session: event.session,
    notBefore,
    eventMs: Date.parse(event.at),
    isUrgent: isQuestion(event),
    deferred: hold && { until: notBefore, gather: hold.gather },
    step: escalatesAfterMs === undefined ? undefined : { agent: event.agent, session: event.session },
  };
}
