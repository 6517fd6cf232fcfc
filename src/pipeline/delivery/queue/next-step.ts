// What the channels' queues have due, when they have to be asked again, and whether a dispatcher stays for them.
import type { ChannelQueue } from "./channel-queue.ts";

export interface NextStep {
  due: { queue: ChannelQueue; file: string }[];
  /** When to ask again if nothing happens before, in milliseconds since the epoch; Infinity: nothing waits for a time. */
  nextAt: number;
}

/** A receiver with a rate makes messages wait for about this long. */
const imminentMs = 1500;
/** A machine that slept is noticed within this time. */
export const maxSleepMs = 15_000;

export function nextStep(queues: readonly ChannelQueue[], now: number): NextStep {
  const due: NextStep["due"] = [];
  let nextAt = Infinity;
  for (const queue of queues) {
    const next = queue.next(now);
    if (next === undefined) continue;
    if ("send" in next) due.push({ queue, file: next.send });
    else nextAt = Math.min(nextAt, next.at, now + maxSleepMs);
  }
  return { due, nextAt: due.length > 0 ? now : nextAt };
}

/** With `isLeavingRetries`, a dispatcher stays only for what is due at once or almost. */
export function keepsBusy(queues: readonly ChannelQueue[], now: number, isLeavingRetries: boolean): boolean {
  return queues.some((queue) => {
    const next = queue.next(now);
    if (next === undefined || queue.lacksSecret) return false;
    return "send" in next || !isLeavingRetries || next.at - now <= imminentMs;
  });
}
