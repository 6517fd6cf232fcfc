// The second half of the pipeline: sends what waits in outbox/, one delivery at a time for each channel.
import type { Delivery } from "../../model/delivery.ts";
import { messageOf } from "../../model/errors.ts";
import { isDeliveryFile, listDeliveries, removeDelivery, type DeliveryFile } from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Rules } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { dueAt, isStorageTrouble, storageRetryMs } from "../policy/retry-timing.ts";
import { opensAt, readChannelState, takeTurn, type ChannelState } from "../send/channel-state.ts";
import { sendDelivery } from "../send/send-delivery.ts";
import { gather, summarise, summaryAgeMs } from "../send/summary.ts";
import { withdrawReplaced } from "../send/withdraw.ts";
import { readWaiting } from "../send/waiting-delivery.ts";
import { weighAgain } from "../send/weigh-again.ts";
import { settle } from "../settle/settle.ts";
import { maxSleepMs } from "./decide.ts";
import type { HeldLease } from "./held-lease.ts";
import {
  createLanes,
  dequeue,
  enqueue,
  gatheredWith,
  holdUntil,
  postpone,
  reconsider,
  release,
  reopenLane,
  sortLanes,
  type Lane,
  type Waiting,
} from "./lanes.ts";

export interface Scheduler {
  lanes(): Lane[];
  /** Whether it knows the file, also one that it leaves alone. */
  has(file: string): boolean;
  add(added: DeliveryFile): void;
  /** Reads what other processes have changed. */
  takeUp(files: "all" | readonly string[]): void;
  /** Sends it, or asks attention about it again. */
  start(lane: Lane, file: string): void;
  reconsiderSession(session: string): void;
  /** Its end wakes the loop. */
  run(job: Promise<void>): void;
  isWorking(): boolean;
  finish(): Promise<void>;
}

export function createScheduler(dispatcher: Dispatcher, lease: HeldLease, onProgress: () => void): Scheduler {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const lanes = createLanes();
  const running = new Set<Promise<void>>();
  const left = new Set<string>();
  let rules: Rules | undefined;
  let { env } = tools;

  const has = (file: string): boolean => lanes.byFile.has(file) || left.has(file);

  const add = ({ file, delivery }: DeliveryFile): void => {
    const { channel, event } = delivery;
    const notBefore = dueAt(delivery);
    enqueue(lanes, channel, {
      file,
      session: event.session,
      notBefore,
      eventMs: Date.parse(event.at),
      hold: delivery.hold && { until: notBefore, gather: delivery.hold.gather },
    });
  };

  /** A bug is one delivery's trouble, a full disk the whole lane's. */
  const setBack = (lane: Lane, file: string, error: unknown): void => {
    const againAt = clock.now() + storageRetryMs;
    if (isStorageTrouble(error) || lane.unrecorded !== undefined) lane.closedUntil = againAt;
    else postpone(lanes, file, againAt);
    if (!isStorageTrouble(error)) journalBug(error);
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

  /** The sending half: send, then settle. */
  const deliver = async (lane: Lane, file: string, state: ChannelState): Promise<void> => {
    try {
      const result = lane.unrecorded ?? (await sendDelivery(dispatcher, file, state));
      if (result === undefined) return dequeue(lanes, file);
      lane.unrecorded = result;
      const { outcome } = result.attempt;
      // Another may have delivered it while this process was frozen.
      if (outcome.status === "failed" && !lease.renew()) return;
      const settled = settle(dispatcher, result);
      lane.unrecorded = undefined;
      lane.lacksSecret = outcome.status === "failed" && outcome.reason === "missingSecret";
      lane.closedUntil = lane.lacksSecret && settled.next === "retry" ? settled.notBefore : 0;
      // The lane waits for its secret, not one delivery.
      if (settled.next === "retry") postpone(lanes, file, lane.lacksSecret ? 0 : settled.notBefore);
      else dequeue(lanes, file);
      settled.added.forEach(add);
      if (outcome.status === "delivered") run(withdrawReplaced(dispatcher, result.delivery));
    } catch (error) {
      setBack(lane, file, error);
    } finally {
      lane.sending = undefined;
    }
  };

  /** Old messages become one, once their receiver answers. */
  const summariseOld = (lane: Lane, { channel, endpoint }: ChannelState, now: number): boolean => {
    if (channel?.summaryFrom === undefined || endpoint.breaker !== undefined) return false;
    const old = [...lane.waiting.values()].filter((each) => each.eventMs < now - summaryAgeMs && each.notBefore <= now);
    if (old.length < channel.summaryFrom) return false;
    const summary = summarise(
      dispatcher,
      channel,
      old.map(({ file }) => file),
    );
    for (const file of summary?.removed ?? []) dequeue(lanes, file);
    if (summary !== undefined) add(summary.added);
    return summary !== undefined;
  };

  /** What attention releases is sent next; what waited together, as one. */
  const weighHeld = async (lane: Lane, waiting: Waiting): Promise<void> => {
    const { file, hold } = waiting;
    const isDue = hold !== undefined && hold.until <= clock.now();
    try {
      const files = isDue ? gatheredWith(lane, waiting) : [file];
      const { released, held, gone } = await weighAgain(dispatcher, files, isDue, lease.renew);
      for (const each of gone) dequeue(lanes, each);
      for (const each of held) holdUntil(lanes, each.file, each.until);
      const { channel } = readChannelState(dispatcher, lane.channel);
      const gathered = released.length < 2 || channel === undefined ? undefined : gather(dispatcher, channel, released);
      for (const each of gathered?.removed ?? []) dequeue(lanes, each);
      for (const each of released) release(lanes, each, clock.now());
      if (gathered !== undefined) add(gathered.added);
    } catch (error) {
      setBack(lane, file, error);
    } finally {
      lane.sending = undefined;
    }
  };

  const start = (lane: Lane, file: string): void => {
    const now = clock.now();
    const waiting = lane.waiting.get(file);
    if (waiting?.hold !== undefined && lane.unrecorded === undefined) {
      lane.sending = file;
      run(weighHeld(lane, waiting));
      return;
    }
    try {
      const state = readChannelState(dispatcher, lane.channel);
      const openAt = lane.unrecorded === undefined ? opensAt(state, now) : now;
      if (openAt > now) {
        // `hookbell test` may open it earlier.
        lane.closedUntil = Math.min(openAt, now + maxSleepMs);
        return;
      }
      // A disk that takes not even this would take no outcome.
      if (!lease.renew()) return;
      if (lane.unrecorded === undefined && summariseOld(lane, state, now)) return;
      const counted = lane.unrecorded === undefined ? takeTurn(dispatcher, state, now) : state;
      lane.sending = file;
      run(deliver(lane, file, counted));
    } catch (error) {
      setBack(lane, file, error);
    }
  };

  const readNew = (file: string): Delivery | undefined => {
    const delivery = readWaiting(dispatcher, file);
    if (delivery !== "later") return delivery;
    if (!left.has(file)) {
      const detail = `outbox/${file} is of a later version of hookbell`;
      writeJournal(layout, clock.now(), { kind: "dispatcher", what: "left alone", detail });
    }
    left.add(file);
    return undefined;
  };

  const takeUpAll = (): void => {
    const dead = new Set(listDeliveries(layout, "dead"));
    const unknown = listDeliveries(layout, "outbox").filter((file) => !has(file));
    const read = unknown.flatMap((file) => {
      const delivery = readNew(file);
      return delivery === undefined ? [] : [{ file, delivery }];
    });
    const summarised = new Set(read.flatMap(({ delivery }) => (delivery.summarises ?? []).map((each) => each.file)));
    for (const { file, delivery } of read) {
      // A crash came before this copy was removed.
      if (dead.has(file) || summarised.has(file)) removeDelivery(layout, "outbox", file);
      else add({ file, delivery });
    }
  };

  /** A command may have added, sent, postponed or discarded it. */
  const takeUpFile = (file: string): void => {
    const lane = lanes.byFile.get(file);
    if (!isDeliveryFile(file) || lane?.sending === file || lane?.unrecorded?.file === file) return;
    const delivery = readNew(file);
    if (delivery === undefined) return dequeue(lanes, file);
    if (lane !== undefined) {
      if (delivery.hold !== undefined) {
        // What this dispatcher wrote itself must not undo that the session has gone on since.
        const isNews = lane.waiting.get(file)?.hold?.until !== dueAt(delivery);
        return isNews ? holdUntil(lanes, file, dueAt(delivery)) : undefined;
      }
      return postpone(lanes, file, dueAt(delivery));
    }
    add({ file, delivery });
    // `hookbell retry` says that the receiver is back.
    reopenLane(lanes.byChannel.get(delivery.channel));
  };

  return {
    lanes() {
      // Other rules may be right.
      const { rules: current } = dispatcher.rules();
      if (current !== rules || dispatcher.tools.env !== env) {
        for (const lane of lanes.byChannel.values()) reopenLane(lane);
        reconsider(lanes, clock.now(), () => true);
      }
      rules = current;
      ({ env } = dispatcher.tools);
      sortLanes(lanes);
      return [...lanes.byChannel.values()];
    },
    has,
    add,
    takeUp: (files) => (files === "all" ? takeUpAll() : files.forEach(takeUpFile)),
    start,
    reconsiderSession: (session) => reconsider(lanes, clock.now(), (waiting) => waiting.session === session),
    run,
    isWorking: () => running.size > 0,
    async finish() {
      await Promise.all(running);
    },
  };
}
