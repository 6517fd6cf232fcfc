import type { Delivery } from "../../model/delivery.ts";
import { messageOf } from "../../model/errors.ts";
import { isDeliveryFile, listDeliveries, readDelivery, removeDelivery } from "../../outbox/deliveries.ts";
import { readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { quarantine } from "../../outbox/rejected.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { openFrom, withRequest } from "../policy/endpoint-policy.ts";
import { afterClockStep } from "../policy/clock-step.ts";
import type { LeaseState } from "./held-lease.ts";
import type { Lacking } from "../policy/missing-secrets.ts";
import { dueAt, revived } from "../policy/retry-timing.ts";
import { createQueue } from "./lanes.ts";
import { attemptDelivery, type AttemptResult } from "../send/send-delivery.ts";
import { isStorageTrouble, storageRetryMs } from "../policy/storage-trouble.ts";
import { summarise, summaryAgeMs } from "../send/summary.ts";
import { takeInBatch } from "../take-in.ts";
import { listIncoming } from "../../outbox/incoming.ts";

export type TakenIn = { more: boolean; againAt?: number };

import { findChannel } from "../../rules/built-in.ts";
import { withdrawShown } from "../send/withdraw.ts";

/** What a dispatcher has in hand. */
export interface Work {
  add(added: { file: string; delivery: Delivery }): void;
  /** Takes up what lies in outbox/ and is not known yet: these files, or all. */
  takeUp(files: "all" | readonly string[]): void;
  /** Takes in some of what lies in incoming/. */
  takeIn(): TakenIn;
  /** Starts what is due, one at a time for each channel; says when the next one will be (milliseconds since the epoch). */
  sendDue(): number | undefined;
  /** Whether something is being sent. */
  isSending(): boolean;
  /** How many deliveries wait or are being sent. */
  size(): number;
  has(file: string): boolean;
  /**
   * Of how many of the channels that wait this process lacks a secret, so that another one may do better: `all` when it
   * will never have any of them, `some` when it is to try again, `none` while it is needed here.
   */
  starved(): "all" | "some" | "none";
  finish(): Promise<void>;
}

/** `hold` is asked before each taking in, summary and send, `onProgress` called after each; `lacking` is what earlier work of this process found. */
export function createScheduler(
  dispatcher: Dispatcher,
  lacking: Lacking,
  hold: () => LeaseState,
  onProgress: () => void,
): Work {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const queue = createQueue();
  const busyChannels = new Set<string>();
  const sending = new Set<string>();
  const running = new Set<Promise<void>>();
  /** Sent, but the disk took no record of it. */
  const unsettled = new Map<string, AttemptResult>();
  const startedAt = clock.now();
  let lastNow = startedAt;

  const add = ({ file, delivery }: { file: string; delivery: Delivery }): void => {
    const now = clock.now();
    const settings = findChannel(dispatcher.rules().rules, delivery.channel);
    const waiting = revived(afterClockStep(delivery, now), settings, now);
    const { channel, event, lastFailure } = waiting;
    // What another dispatcher lacked, this one may have.
    const isNewChance = lastFailure?.reason === "missingSecret" && lastFailure.at <= startedAt;
    const notBefore = isNewChance ? now : dueAt(waiting);
    queue.add({ file, channel, session: event.session, notBefore, eventMs: Date.parse(event.at) });
  };

  const journalBug = (error: unknown): void => {
    writeJournal(layout, clock.now(), { kind: "dispatcher", what: "bug", detail: messageOf(error) });
  };

  const run = (job: Promise<void>): void => {
    const watched = job.catch(journalBug).finally(() => {
      running.delete(watched);
      onProgress();
    });
    running.add(watched);
  };

  const send = async (channel: string, file: string): Promise<void> => {
    let tried = unsettled.get(file);
    const settings = findChannel(dispatcher.rules().rules, channel);
    sending.add(file);
    try {
      tried ??= await attemptDelivery(dispatcher, file);
      if (tried.outcome?.status === "failed") {
        const held = hold();
        // While we were frozen, another may have delivered it: a failure of ours must not bring it back.
        if (held === "lost") return queue.remove(file);
        if (held === "trouble") return setBack(file, tried);
      }
      const settled = tried.settle();
      const { outcome, delivery } = tried;
      const isLacking = outcome?.status === "failed" && outcome.reason === "missingSecret" && delivery !== undefined;
      if (isLacking) lacking.note(channel, settings, delivery.expiresAt, clock.now());
      else lacking.forget(channel);
      unsettled.delete(file);
      if (settled.next === "retry") queue.postpone(file, settled.notBefore);
      else queue.remove(file);
      settled.added.forEach(add);
    } catch (error) {
      setBack(file, tried);
      throw error;
    } finally {
      sending.delete(file);
      busyChannels.delete(channel);
    }
  };

  /** Left alone for a while rather than spun on; what was sent is then settled, not sent again. */
  const setBack = (file: string, tried: AttemptResult | undefined): void => {
    if (tried !== undefined) unsettled.set(file, tried);
    queue.postpone(file, clock.now() + storageRetryMs);
  };

  const takeUpFile = (file: string): { file: string; delivery: Delivery } | undefined => {
    if (queue.has(file) || !isDeliveryFile(file)) return undefined;
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status === "read") return { file, delivery: reading.delivery };
    if (reading.status === "broken") quarantine(layout, "outbox", file, reading.problem, clock.now());
    return undefined;
  };

  /** A command in the foreground may have sent, postponed or discarded what waits here. */
  const lookAgain = (file: string): void => {
    if (sending.has(file) || unsettled.has(file)) return;
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status === "gone") queue.remove(file);
    if (reading.status === "read") queue.postpone(file, dueAt(afterClockStep(reading.delivery, clock.now())));
  };

  /** Old messages become one, once their receiver is known to be there; true when they did. */
  const gather = (name: string, now: number): boolean => {
    const channel = findChannel(dispatcher.rules().rules, name);
    if (channel?.summaryFrom === undefined) return false;
    const old = queue.dueBefore(name, now - summaryAgeMs, now);
    if (old.length < channel.summaryFrom || hold() === "lost") return false;
    const summary = summarise(dispatcher, channel, old);
    if (summary === undefined) return false;
    summary.removed.forEach(queue.remove);
    add(summary.added);
    return true;
  };

  /** Starts what is due on a channel that is not busy, or says when something will be. */
  const sendNext = (channel: string, now: number): number | undefined => {
    const settings = findChannel(dispatcher.rules().rules, channel);
    const uselessUntil = lacking.until(channel, settings, now);
    if (uselessUntil !== undefined) return uselessUntil;
    const next = queue.next(channel, now);
    if (next === undefined) return undefined;
    const endpoint = readEndpoint(layout, channel);
    if (endpoint.breaker === undefined && gather(channel, now)) return now;
    // Of one that is switched off nothing is asked.
    const isOff = endpoint.switchedOff !== undefined && endpoint.switchedOff.fingerprint === settings?.fingerprint;
    const rate = isOff ? undefined : settings?.channelType.rate;
    const openAt = Math.max("due" in next ? now : next.dueAt, openFrom(endpoint, rate, now));
    if (!("due" in next) || openAt > now) return openAt;
    const held = hold();
    if (held === "lost") return undefined;
    // What is sent now could not be crossed out, and would be sent again.
    if (held === "trouble") return now + storageRetryMs;
    if (rate !== undefined) writeEndpoint(layout, withRequest(endpoint, rate, now));
    busyChannels.add(channel);
    run(send(channel, next.due.file));
    return undefined;
  };

  let backlog: string[] = [];
  const takeIn = (): TakenIn => {
    try {
      if (backlog.length === 0) backlog = listIncoming(layout);
      takeInBatch(
        dispatcher,
        backlog,
        () => hold() !== "lost",
        ({ event, deliveries }) => {
          deliveries.forEach(add);
          if (event !== undefined) run(withdrawShown(dispatcher, event));
        },
      );
      return { more: backlog.length > 0 };
    } catch (error) {
      backlog = [];
      writeJournal(layout, clock.now(), { kind: "dispatcher", what: "stalled", detail: messageOf(error) });
      return { more: false, againAt: clock.now() + storageRetryMs };
    }
  };

  return {
    add,
    takeUp(files) {
      if (files !== "all") {
        for (const file of files) {
          if (queue.has(file)) lookAgain(file);
          const found = takeUpFile(file);
          if (found !== undefined) add(found);
        }
        return;
      }
      const dead = new Set(listDeliveries(layout, "dead"));
      const read = listDeliveries(layout, "outbox").flatMap((file) => takeUpFile(file) ?? []);
      const summarised = new Set(read.flatMap(({ delivery }) => (delivery.summarises ?? []).map((each) => each.file)));
      for (const { file, delivery } of read) {
        // It was buried or summarised, and the crash came before its copy here was removed.
        if (dead.has(file) || summarised.has(file)) removeDelivery(layout, "outbox", file);
        else add({ file, delivery });
      }
    },
    takeIn,
    sendDue() {
      const now = clock.now();
      if (now < lastNow) {
        queue.advance(lastNow - now);
        lacking.forgetAll();
      }
      lastNow = now;
      let nextAt: number | undefined;
      for (const channel of queue.channels()) {
        if (busyChannels.has(channel)) continue;
        try {
          const againAt = sendNext(channel, now);
          if (againAt !== undefined) nextAt = Math.min(nextAt ?? Infinity, againAt);
        } catch (error) {
          // Whatever it is, it is this channel's trouble and not the others'.
          if (!isStorageTrouble(error)) journalBug(error);
          nextAt = Math.min(nextAt ?? Infinity, now + storageRetryMs);
        }
      }
      return nextAt;
    },
    isSending: () => running.size > 0,
    size: () => queue.size(),
    has: queue.has,
    starved() {
      const { rules } = dispatcher.rules();
      const now = clock.now();
      const isLacking = (name: string): boolean => lacking.until(name, findChannel(rules, name), now) !== undefined;
      const channels = queue.channels();
      // What was sent and could not be recorded is known here alone.
      if (running.size > 0 || unsettled.size > 0 || !channels.some(isLacking)) return "none";
      return channels.every((name) => lacking.isForGood(name, findChannel(rules, name), now)) ? "all" : "some";
    },
    async finish() {
      await Promise.all(running);
    },
  };
}
