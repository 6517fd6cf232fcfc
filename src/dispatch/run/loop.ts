import { deadBounds, endpointBounds, keepWithin, sessionBounds, tooMany } from "../../outbox/bounds.ts";
import { listDeliveries } from "../../outbox/deliveries.ts";
import { listIncoming, listShellAside } from "../../outbox/incoming.ts";
import { boundJournal, writeJournal } from "../../outbox/journal.ts";
import { takeLease, type Lease } from "../../outbox/lease.ts";
import { clearRestingMark, markResting } from "../../outbox/resting-mark.ts";
import { sweep } from "../../outbox/sweep.ts";
import { clearStartingMark } from "../../outbox/wake.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { createBell } from "./wake-signal.ts";
import { notifyBrokenRules } from "../notices/broken-rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { holdLease } from "./held-lease.ts";
import { createLacking, type Lacking } from "../policy/missing-secrets.ts";
import { createOutboxNews } from "./outbox-changes.ts";
import { rest } from "./rest.ts";
import { isStorageTrouble, storageRetryMs } from "../policy/storage-trouble.ts";
import { createScheduler } from "./scheduler.ts";

export interface RunOptions {
  /** Ends after this long with nothing to do and nothing waiting; undefined: only `stop` ends it. */
  idleMs: number | undefined;
  /** With true, deliveries that wait for a retry do not keep it running. */
  isLeavingRetries: boolean;
  /** With true, it waits for a disk that takes no lease now: nobody is there to be told. A person wants to know at once. */
  isPatient: boolean;
  stop: AbortSignal;
}

/** A machine that slept, or whose clock was set, is noticed within this time. */
const maxSleepMs = 15_000;
const imminentMs = 1500;
/** So often it goes round, or tries for the lease, before it leaves the rest to the next hook. */
const maxRounds = 10;
/** A dispatcher may run for months. */
const keepSmallEveryMs = 10 * 60_000;

/** `busy`: another dispatcher holds the lease. `lost`: another one took it over while this one was frozen. */
export type RunResult = "ended" | "busy" | "lost";

/** The dispatcher: takes in what lies in incoming/, sends what is due, sleeps until the next of either. */
export async function runDispatcher(dispatcher: Dispatcher, options: RunOptions): Promise<RunResult> {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const { stop, isLeavingRetries } = options;
  const lacking = createLacking(tools);
  let resting: string | undefined;
  for (let round = 1; ; round += 1) {
    // The mark goes first: should we die in between, the next hook need not wait for it to grow old.
    unlessStorageTrouble(() => clearStartingMark(layout));
    const lease = await takeLeaseInTime(dispatcher, options);
    if (lease === undefined) {
      // One that does not stay may have it, and leave the retries to us.
      if (resting === undefined || (await rest(dispatcher, resting, clock.now(), stop)) === "over") return "busy";
      continue;
    }
    // Whoever rests meanwhile need not come back.
    if (!isLeavingRetries) unlessStorageTrouble(() => clearRestingMark(layout));
    writeJournal(layout, clock.now(), { kind: "dispatcher", what: "started" });
    let ran: Run;
    try {
      ran = await runWithLease(dispatcher, lease, lacking, options);
    } finally {
      unlessStorageTrouble(lease.release);
    }
    const { result, hasLeft, rests } = ran;
    writeJournal(layout, clock.now(), { kind: "dispatcher", what: rests === undefined ? result : "resting" });
    if (result === "lost" || stop.aborted) return result;
    resting = rests?.token;
    // A hook or a command that saw the lease a moment ago relied on us.
    const hasNews = (): boolean =>
      listIncoming(layout).length > 0 ||
      (!isLeavingRetries && listDeliveries(layout, "outbox").some((file) => !hasLeft(file)));
    // What cannot be seen may be there.
    if (round < maxRounds && (unlessStorageTrouble(hasNews) ?? true)) continue;
    if (rests === undefined || (await rest(dispatcher, rests.token, rests.untilMs, stop)) === "over") return result;
    round = 0;
  }
}

/** On a disk that is full for the moment there is no lease to be had, but there will be. */
async function takeLeaseInTime(
  { layout, tools }: Dispatcher,
  { isPatient, stop }: RunOptions,
): Promise<Lease | undefined> {
  const maxTries = isPatient ? maxRounds : 1;
  for (let tries = 1; ; tries += 1) {
    try {
      return takeLease(layout, tools.clock);
    } catch (error) {
      if (!isStorageTrouble(error) || tries >= maxTries || stop.aborted) throw error;
      await new Promise<void>((resolve) => tools.clock.after(storageRetryMs, resolve));
    }
  }
}

/** `hasLeft`: whether it knows a file of the outbox, and has left it for later. */
interface Run {
  result: RunResult;
  hasLeft(file: string): boolean;
  /** It gives up the lease until something is due, in milliseconds since the epoch. */
  rests?: { token: string; untilMs: number } | undefined;
}

async function runWithLease(dispatcher: Dispatcher, lease: Lease, lacking: Lacking, options: RunOptions): Promise<Run> {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  const { stop, isLeavingRetries } = options;
  const bell = createBell(clock);
  const kept = holdLease(lease, clock, bell.ring);
  // A dispatcher that was frozen past its lease must not send what another has taken over.
  const work = createScheduler(dispatcher, lacking, kept.hold, bell.ring);
  const outboxNews = createOutboxNews(layout, clock, bell.ring);
  const unwatchIncoming = watchFolder(layout.incoming, bell.ring);
  stop.addEventListener("abort", bell.ring);
  let idleSince = clock.now();
  let keptSmallAt: number | undefined;
  let rests: Run["rests"];
  try {
    while (!kept.isLost() && !stop.aborted) {
      await dispatcher.rereadRules();
      if (keptSmallAt === undefined || Math.abs(clock.now() - keptSmallAt) > keepSmallEveryMs) {
        keptSmallAt = clock.now();
        unlessStorageTrouble(() => keepFoldersSmall(dispatcher));
      }
      unlessStorageTrouble(() => notifyBrokenRules(dispatcher).forEach(work.add));
      const takenIn = work.takeIn();
      const isTakenUp = unlessStorageTrouble(() => {
        work.takeUp(outboxNews.take(work.size() === 0));
        return true;
      });
      if (!isTakenUp) outboxNews.forget();
      const nextAt = work.sendDue();
      if (takenIn.more) {
        // Let answers that have come meanwhile be settled.
        await new Promise(setImmediate);
        continue;
      }
      const now = clock.now();
      // What is due in a moment, as with a receiver that has a rate, is no retry that is left for later.
      const isSoon = nextAt !== undefined && nextAt - now <= imminentMs;
      const starved = work.starved();
      const isWaiting = work.size() > 0 && starved !== "all" && (!isLeavingRetries || isSoon);
      const isAtWork = work.isSending() || isWaiting;
      // A clock that was turned back must not keep us here.
      if (isAtWork || now < idleSince) idleSince = now;
      const idleLeftMs = options.idleMs === undefined || isAtWork ? Infinity : idleSince + options.idleMs - now;
      if (idleLeftMs <= 0) break;
      // Room is made at once for one that was started elsewhere, with another environment.
      const isMakingRoom = options.idleMs !== undefined && takenIn.againAt === undefined;
      if (starved === "all" && isMakingRoom) break;
      // A hook that is still reading may have started us, and then relies on us.
      if (starved === "some" && isMakingRoom && isWaiting && !isSoon && listShellAside(layout).length === 0) {
        const untilMs = nextAt ?? now + maxSleepMs;
        unlessStorageTrouble(() => (rests = { token: markResting(layout, now), untilMs }));
        if (rests !== undefined) break;
      }
      const lookAgainAt = isTakenUp ? Infinity : now + storageRetryMs;
      const dueInMs = Math.min(nextAt ?? Infinity, takenIn.againAt ?? Infinity, lookAgainAt) - now;
      await bell.wait(
        Math.max(0, Math.min(idleLeftMs, dueInMs === Infinity ? Infinity : Math.min(dueInMs, maxSleepMs))),
      );
    }
  } finally {
    // What is under way is settled before another dispatcher may begin.
    await work.finish();
    kept.stop();
    outboxNews.stop();
    unwatchIncoming();
    stop.removeEventListener("abort", bell.ring);
  }
  return { result: kept.isLost() ? "lost" : "ended", hasLeft: work.has, rests };
}

/** A disk that is full or read-only now may not be later; what needs it is done then. */
function unlessStorageTrouble<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    if (!isStorageTrouble(error)) throw error;
    return undefined;
  }
}

/** Bounds on what is kept for looking back; the oldest leaves first, and the journal says so. */
function keepFoldersSmall({ layout, tools }: Dispatcher): void {
  sweep(layout, tools.clock.now());
  const removed: [string, string[]][] = [
    ["journal files", boundJournal(layout)],
    ["dead letters", keepWithin(layout.dead, deadBounds)],
    ["sessions", keepWithin(layout.sessions, sessionBounds, "modified")],
    ["destinations", keepWithin(layout.endpoints, endpointBounds, "modified")],
  ];
  for (const [what, names] of removed) {
    if (names.length === 0) continue;
    writeJournal(layout, tools.clock.now(), { kind: "removed", what: `${names.length} ${what}`, why: tooMany });
  }
}
