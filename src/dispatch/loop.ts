import { deadBounds, keepWithin, sessionBounds } from "../outbox/bounds.ts";
import { listIncoming } from "../outbox/incoming.ts";
import { boundJournal, writeJournal } from "../outbox/journal.ts";
import { takeLease, type Lease } from "../outbox/lease.ts";
import { clearStartingMark } from "../outbox/wake.ts";
import { watchFolder } from "../system/watch.ts";
import { createBell } from "./bell.ts";
import { tellOfBrokenRules } from "./broken-rules.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { keepLease } from "./keep-lease.ts";
import { createWork } from "./work.ts";

export interface RunOptions {
  /** Ends after this long with nothing to do and nothing waiting; undefined: only `stop` ends it. */
  idleMs: number | undefined;
  /** With true, deliveries that wait for a retry do not keep it running. */
  isLeavingRetries: boolean;
  stop: AbortSignal;
}

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
  const { stop, isLeavingRetries } = options;
  const bell = createBell(clock);
  const kept = keepLease(lease, clock, bell.ring);
  // A dispatcher that was frozen past its lease must not send what another has taken over.
  const work = createWork(dispatcher, kept.hold, bell.ring);
  let isOutboxNew = true;
  const unwatch = [
    watchFolder(layout.incoming, bell.ring),
    watchFolder(layout.outbox, () => {
      isOutboxNew = true;
      bell.ring();
    }),
  ];
  stop.addEventListener("abort", bell.ring);
  keepFoldersSmall(dispatcher);
  let idleSince = clock.now();
  try {
    while (!kept.isLost() && !stop.aborted) {
      tellOfBrokenRules(dispatcher).forEach(work.add);
      const hasMore = work.takeIn();
      if (isOutboxNew) {
        isOutboxNew = false;
        work.takeUpOutbox();
      }
      const nextAt = work.sendDue();
      if (hasMore) {
        // Let answers that have come meanwhile be settled.
        await new Promise(setImmediate);
        continue;
      }
      const now = clock.now();
      const isAtWork = work.isSending() || (work.size() > 0 && !isLeavingRetries);
      if (isAtWork) idleSince = now;
      const idleLeftMs = options.idleMs === undefined || isAtWork ? Infinity : idleSince + options.idleMs - now;
      if (idleLeftMs <= 0) break;
      await bell.wait(Math.max(0, Math.min(idleLeftMs, (nextAt ?? Infinity) - now)));
    }
    await work.finish();
  } finally {
    kept.stop();
    for (const end of unwatch) end();
    stop.removeEventListener("abort", bell.ring);
  }
  return kept.isLost() ? "lost" : "ended";
}

/** Bounds on what is kept for looking back; the oldest leaves first, and the journal says so. */
function keepFoldersSmall({ layout, tools }: Dispatcher): void {
  const removed: [string, string[]][] = [
    ["journal files", boundJournal(layout)],
    ["dead letters", keepWithin(layout.dead, deadBounds)],
    ["sessions", keepWithin(layout.sessions, sessionBounds, "modified")],
  ];
  for (const [what, names] of removed) {
    if (names.length === 0) continue;
    writeJournal(layout, tools.clock.now(), {
      kind: "removed",
      what: `${names.length} ${what}`,
      why: "there were too many",
    });
  }
}
