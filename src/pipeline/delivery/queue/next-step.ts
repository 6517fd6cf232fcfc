// What the dispatcher does next: send these, wait until then, or stop.
import type { ChannelQueue } from "./channel-queue.ts";

/** Times are milliseconds since the epoch. */
export interface Situation {
  now: number;
  queues: readonly ChannelQueue[];
  /** More payloads wait than the last round took in. */
  hasBacklog: boolean;
  /** The end of the work wakes the loop. */
  isWorking: boolean;
  /** When to repeat the steps after the disk failed. */
  repeatAt?: number | undefined;
  idleSince: number;
}

export interface StayRules {
  /** Ends after this long with nothing to do; undefined: never. */
  idleMs: number | undefined;
  /** Retries do not keep it running. */
  isLeavingRetries: boolean;
}

export type Decision =
  | { next: "send"; due: { queue: ChannelQueue; file: string }[] }
  | { next: "again" }
  | { next: "wait"; ms: number }
  | { next: "stop" };

/** A receiver with a rate makes messages wait for about this long. */
const imminentMs = 1500;
/** A machine that slept is noticed within this time. */
export const maxSleepMs = 15_000;

export function decide(situation: Situation, rules: StayRules): Decision {
  const { now, queues, hasBacklog, repeatAt = Infinity } = situation;
  const nexts = queues.map((queue) => ({ queue, next: queue.next(now) }));
  const due = nexts.flatMap(({ queue, next }) =>
    next !== undefined && "send" in next ? [{ queue, file: next.send }] : [],
  );
  if (due.length > 0) return { next: "send", due };
  if (hasBacklog) return { next: "again" };
  const idleLeftMs = isBusy(situation, rules) ? Infinity : situation.idleSince + (rules.idleMs ?? Infinity) - now;
  if (idleLeftMs <= 0) return { next: "stop" };
  const openings = nexts.flatMap(({ next }) => (next !== undefined && "at" in next ? [next.at] : []));
  const nextAt = Math.min(repeatAt, ...openings);
  const sleepMs = nextAt === Infinity ? Infinity : Math.min(nextAt - now, maxSleepMs);
  return { next: "wait", ms: Math.max(0, Math.min(sleepMs, idleLeftMs)) };
}

export function isBusy({ now, queues, isWorking }: Situation, { isLeavingRetries }: StayRules): boolean {
  return (
    isWorking ||
    queues.some((queue) => {
      const next = queue.next(now);
      if (next === undefined || queue.lacksSecret) return false;
      return "send" in next || !isLeavingRetries || next.at - now <= imminentMs;
    })
  );
}
