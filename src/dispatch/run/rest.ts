import { listIncoming } from "../../outbox/incoming.ts";
import { findLeaseHolder } from "../../outbox/lease.ts";
import { clearRestingMark, isMarkedResting, isRestingMark } from "../../outbox/resting-mark.ts";
import { isBeingStarted } from "../../outbox/wake.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { createBell } from "./wake-signal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isStorageTrouble } from "../policy/storage-trouble.ts";

/** So often it looks whether a payload waits that nobody was started for, and whether the machine has slept. */
const lookEveryMs = 15_000;
const othersFirstMs = 1000;

/**
 * Waits without the lease until something is due, so that a hook starts a dispatcher of its own, with its own
 * environment. `due`: the lease is to be taken again. `over`: another has come to stay, or we were told to stop.
 */
export async function rest(
  { layout, tools }: Dispatcher,
  token: string,
  untilMs: number,
  stop: AbortSignal,
): Promise<"due" | "over"> {
  const { clock } = tools;
  const bell = createBell(clock);
  const unwatch = watchFolder(layout.root, (name) => {
    if (name === undefined || isRestingMark(layout, name)) bell.ring();
  });
  stop.addEventListener("abort", bell.ring);
  const since = clock.now();
  /** How long there is nothing to do, in milliseconds; or the end of the rest. */
  const look = (): number | "due" | "over" => {
    if (!isMarkedResting(layout, token)) return "over";
    if (stop.aborted) {
      clearRestingMark(layout);
      return "over";
    }
    const now = clock.now();
    // A clock that was turned back must not make the rest longer.
    const isDue = now >= untilMs || now < since || listIncoming(layout).length > 0;
    if (!isDue) return Math.min(lookEveryMs, untilMs - now);
    // One that is coming up may have what we lack.
    return isBeingStarted(layout, now) || findLeaseHolder(layout, now) !== undefined ? othersFirstMs : "due";
  };
  try {
    for (;;) {
      const looked = unlessTrouble(look);
      if (typeof looked === "string") return looked;
      await bell.wait(looked);
    }
  } finally {
    unwatch();
    stop.removeEventListener("abort", bell.ring);
  }
}

/** On a disk with trouble it looks again later, unless it was told to stop. */
function unlessTrouble<T>(look: () => T): T | number {
  try {
    return look();
  } catch (error) {
    if (isStorageTrouble(error)) return lookEveryMs;
    throw error;
  }
}
