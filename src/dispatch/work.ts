import type { Delivery } from "../model/delivery.ts";
import { messageOf } from "../model/errors.ts";
import { listDeliveries, readDelivery, removeDelivery } from "../outbox/deliveries.ts";
import { readEndpoint, writeEndpoint } from "../outbox/endpoints.ts";
import { listIncoming } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import { setAsideBroken } from "../outbox/set-aside.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { openFrom, withRequest } from "./endpoint-rules.ts";
import { ingest } from "./ingest.ts";
import { createQueue } from "./queue.ts";
import { sendFile } from "./sender.ts";
import { summarise, summaryAgeMs } from "./summarise.ts";
import { findChannel } from "./tell.ts";
import { withdrawShown } from "./withdraw.ts";

/** So many payloads are taken in before deliveries get a turn again. */
const ingestBatch = 16;
/** After a full disk, or a bug, a file is left alone this long rather than spun on. */
const setbackMs = 5000;

/** What a dispatcher has in hand. */
export interface Work {
  add(added: { file: string; delivery: Delivery }): void;
  /** Takes up what lies in outbox/ and is not known yet. */
  takeUpOutbox(): void;
  /** Takes in some of what lies in incoming/; true when there is more. */
  takeIn(): boolean;
  /** Starts what is due, one at a time for each channel; says when the next one will be (milliseconds since the epoch). */
  sendDue(): number | undefined;
  /** Whether something is being sent. */
  isSending(): boolean;
  /** How many deliveries wait or are being sent. */
  size(): number;
  finish(): Promise<void>;
}

/** `mayGoOn` is asked before each send, `onProgress` called after each. */
export function createWork(dispatcher: Dispatcher, mayGoOn: () => boolean, onProgress: () => void): Work {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const queue = createQueue();
  const busyChannels = new Set<string>();
  const running = new Set<Promise<void>>();

  const add = ({ file, delivery }: { file: string; delivery: Delivery }): void => {
    const { channel, event, notBefore } = delivery;
    queue.add({ file, channel, session: event.session, notBefore, eventMs: Date.parse(event.at) });
  };

  const run = (job: Promise<void>): void => {
    const watched = job
      .catch((error: unknown) => {
        writeJournal(layout, clock.now(), { kind: "dispatcher", what: "bug", detail: messageOf(error) });
      })
      .finally(() => {
        running.delete(watched);
        onProgress();
      });
    running.add(watched);
  };

  const send = async (channel: string, file: string): Promise<void> => {
    try {
      const { settled } = await sendFile(dispatcher, file);
      if (settled.next === "retry") queue.postpone(file, settled.notBefore);
      else queue.remove(file);
      settled.added.forEach(add);
    } catch (error) {
      queue.postpone(file, clock.now() + setbackMs);
      throw error;
    } finally {
      busyChannels.delete(channel);
    }
  };

  /** Old messages become one, once their receiver is known to be there; true when they did. */
  const gather = (name: string, now: number): boolean => {
    const channel = findChannel(dispatcher.rules().rules, name);
    if (channel?.summaryFrom === undefined) return false;
    const old = queue.dueBefore(name, now - summaryAgeMs, now);
    if (old.length < channel.summaryFrom) return false;
    const summary = summarise(dispatcher, channel, old);
    if (summary === undefined) return false;
    summary.removed.forEach(queue.remove);
    add(summary.added);
    return true;
  };

  return {
    add,
    takeUpOutbox() {
      const dead = new Set(listDeliveries(layout, "dead"));
      const summarised = new Set<string>();
      const read: { file: string; delivery: Delivery }[] = [];
      for (const file of listDeliveries(layout, "outbox")) {
        if (queue.has(file)) continue;
        const reading = readDelivery(layout, "outbox", file);
        if (reading.status === "broken") setAsideBroken(layout, "outbox", file, reading.problem, clock.now());
        if (reading.status !== "read") continue;
        read.push({ file, delivery: reading.delivery });
        for (const each of reading.delivery.summarises ?? []) summarised.add(each.file);
      }
      for (const { file, delivery } of read) {
        // It was buried or summarised, and the crash came before its copy here was removed.
        if (dead.has(file) || summarised.has(file)) removeDelivery(layout, "outbox", file);
        else add({ file, delivery });
      }
    },
    takeIn() {
      const waiting = listIncoming(layout);
      for (const file of waiting.slice(0, ingestBatch)) {
        const { event, deliveries } = ingest(dispatcher, file);
        deliveries.forEach(add);
        if (event !== undefined) run(withdrawShown(dispatcher, event));
      }
      return waiting.length > ingestBatch;
    },
    sendDue() {
      let nextAt: number | undefined;
      for (const channel of queue.channels()) {
        if (busyChannels.has(channel)) continue;
        const now = clock.now();
        const next = queue.next(channel, now);
        if (next === undefined) continue;
        const endpoint = readEndpoint(layout, channel);
        if (endpoint.breaker === undefined && gather(channel, now)) return now;
        const rate = findChannel(dispatcher.rules().rules, channel)?.channelType.rate;
        const dueAt = Math.max("due" in next ? now : next.dueAt, openFrom(endpoint, rate, now));
        if ("due" in next && dueAt <= now) {
          if (!mayGoOn()) return undefined;
          if (rate !== undefined) writeEndpoint(layout, withRequest(endpoint, rate, now));
          busyChannels.add(channel);
          run(send(channel, next.due.file));
        } else nextAt = Math.min(nextAt ?? Infinity, dueAt);
      }
      return nextAt;
    },
    isSending: () => running.size > 0,
    size: () => queue.size(),
    async finish() {
      await Promise.all(running);
    },
  };
}
