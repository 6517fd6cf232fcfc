import type { Delivery } from "../model/delivery.ts";
import { messageOf } from "../model/errors.ts";
import { deadBounds, keepWithin, sessionBounds } from "../outbox/bounds.ts";
import { listDeliveries, readDelivery, removeDelivery } from "../outbox/deliveries.ts";
import { readEndpoint } from "../outbox/endpoints.ts";
import { listIncoming } from "../outbox/incoming.ts";
import { boundJournal, writeJournal } from "../outbox/journal.ts";
import { renewEveryMs, takeLease, type Lease } from "../outbox/lease.ts";
import { setAsideBroken } from "../outbox/set-aside.ts";
import { clearStartingMark } from "../outbox/wake.ts";
import { watchFolder } from "../system/watch.ts";
import { createBell } from "./bell.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ingest } from "./ingest.ts";
import { createQueue } from "./queue.ts";
import { sendFile } from "./sender.ts";
import { tellOfBrokenRules } from "./broken-rules.ts";
import { withdrawShown } from "./withdraw.ts";

export interface RunOptions {
  /** Ends after this long with nothing to do and nothing waiting; undefined: only `stop` ends it. */
  idleMs: number | undefined;
  /** With true, deliveries that wait for a retry do not keep it running. */
  isLeavingRetries: boolean;
  stop: AbortSignal;
}

/** So many payloads are taken in before deliveries get a turn again. */
const ingestBatch = 16;

/** `busy`: another dispatcher holds the lease. `lost`: another one took it over while this one was frozen. */
export type RunResult = "ended" | "busy" | "lost";

/** The dispatcher: takes in what lies in incoming/, sends what is due, sleeps until the next of either. */
export async function runDispatcher(dispatcher: Dispatcher, options: RunOptions): Promise<RunResult> {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  for (;;) {
    const lease = takeLease(layout, clock);
    clearStartingMark(layout);
    if (lease === undefined) return "busy";
    writeJournal(layout, clock.now(), { kind: "dispatcher", what: "started" });
    let result: RunResult;
    try {
      result = await runWithLease(dispatcher, lease, options);
    } finally {
      lease.release();
    }
    writeJournal(layout, clock.now(), { kind: "dispatcher", what: result });
    // A hook that saw the lease a moment ago relied on us.
    if (result === "lost" || options.stop.aborted || listIncoming(layout).length === 0) return result;
  }
}

async function runWithLease(dispatcher: Dispatcher, lease: Lease, options: RunOptions): Promise<RunResult> {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const bell = createBell(clock);
  const queue = createQueue();
  const busyChannels = new Set<string>();
  const background = new Set<Promise<unknown>>();
  let isLost = false;
  let hasNewFiles = true;

  const holdLease = (): boolean => {
    isLost ||= !lease.renew();
    return !isLost;
  };
  let stopRenewing = (): void => {};
  const renewLater = (): void => {
    stopRenewing = clock.after(renewEveryMs, () => {
      if (!holdLease()) bell.ring();
      renewLater();
    });
  };
  const track = (work: Promise<unknown>): void => {
    const tracked = work
      .catch((error: unknown) => {
        writeJournal(layout, clock.now(), { kind: "dispatcher", what: "bug", detail: messageOf(error) });
      })
      .finally(() => {
        background.delete(tracked);
        bell.ring();
      });
    background.add(tracked);
  };

  const enqueue = ({ file, delivery }: { file: string; delivery: Delivery }): void => {
    const { channel, event, notBefore } = delivery;
    queue.add({ file, channel, session: event.session, notBefore });
  };

  const takeUpFiles = (): void => {
    const dead = new Set(listDeliveries(layout, "dead"));
    for (const file of listDeliveries(layout, "outbox")) {
      if (queue.has(file)) continue;
      // It was buried, and the crash came before its copy here was removed.
      if (dead.has(file)) {
        removeDelivery(layout, "outbox", file);
        continue;
      }
      const reading = readDelivery(layout, "outbox", file);
      if (reading.status === "broken") setAsideBroken(layout, "outbox", file, reading.problem, clock.now());
      if (reading.status !== "read") continue;
      enqueue({ file, delivery: reading.delivery });
    }
  };

  const takeIn = (): boolean => {
    const waiting = listIncoming(layout);
    for (const file of waiting.slice(0, ingestBatch)) {
      const { event, deliveries } = ingest(dispatcher, file);
      deliveries.forEach(enqueue);
      if (event !== undefined) track(withdrawShown(dispatcher, event));
    }
    return waiting.length > ingestBatch;
  };

  const sendNext = async (channel: string, file: string): Promise<void> => {
    try {
      const { settled } = await sendFile(dispatcher, file);
      if (settled.next === "retry") queue.postpone(file, settled.notBefore);
      else queue.remove(file);
      settled.added.forEach(enqueue);
    } catch (error) {
      // A full disk or a bug: leave the file for later rather than spin on it.
      queue.postpone(file, clock.now() + renewEveryMs);
      throw error;
    } finally {
      busyChannels.delete(channel);
    }
  };

  /** Starts what is due; says when the next one will be. */
  const sendDue = (): number | undefined => {
    let nextAt: number | undefined;
    for (const channel of queue.channels()) {
      if (busyChannels.has(channel)) continue;
      const now = clock.now();
      const next = queue.next(channel, now);
      if (next === undefined) continue;
      const dueAt = Math.max("due" in next ? now : next.dueAt, readEndpoint(layout, channel).notBefore ?? 0);
      if ("due" in next && dueAt <= now) {
        // A dispatcher that was frozen past its lease must not send what another has taken over.
        if (!holdLease()) return undefined;
        busyChannels.add(channel);
        track(sendNext(channel, next.due.file));
      } else nextAt = Math.min(nextAt ?? Infinity, dueAt);
    }
    return nextAt;
  };

  const unwatchIncoming = watchFolder(layout.incoming, () => bell.ring());
  const unwatchOutbox = watchFolder(layout.outbox, () => {
    hasNewFiles = true;
    bell.ring();
  });
  options.stop.addEventListener("abort", bell.ring);
  renewLater();
  boundJournal(layout);
  keepWithin(layout.sessions, sessionBounds, "modified");
  let idleSince = clock.now();
  try {
    for (;;) {
      if (isLost || options.stop.aborted) break;
      tellOfBrokenRules(dispatcher).forEach(enqueue);
      const hasMore = takeIn();
      if (hasNewFiles) {
        hasNewFiles = false;
        takeUpFiles();
      }
      const nextAt = sendDue();
      if (hasMore) {
        // Let answers that have come meanwhile be settled.
        await new Promise(setImmediate);
        continue;
      }
      const now = clock.now();
      const isWaiting = background.size > 0 || (queue.size() > 0 && !options.isLeavingRetries);
      if (isWaiting) idleSince = now;
      const idleLeftMs = options.idleMs === undefined ? undefined : idleSince + options.idleMs - now;
      if (!isWaiting && idleLeftMs !== undefined && idleLeftMs <= 0) break;
      const waits = [nextAt === undefined ? undefined : nextAt - now, isWaiting ? undefined : idleLeftMs];
      const finite = waits.filter((wait) => wait !== undefined);
      await bell.wait(finite.length === 0 ? undefined : Math.max(0, Math.min(...finite)));
    }
    await Promise.all(background);
  } finally {
    stopRenewing();
    unwatchIncoming();
    unwatchOutbox();
    options.stop.removeEventListener("abort", bell.ring);
    keepWithin(layout.dead, deadBounds);
  }
  return isLost ? "lost" : "ended";
}
