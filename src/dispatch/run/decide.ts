// What the dispatcher does next: send these, wait until then, or stop.
import type { Lane } from "./lanes.ts";

/** Times are milliseconds since the epoch. */
export interface Situation {
  now: number;
  lanes: readonly Lane[];
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
  | { next: "send"; due: { lane: Lane; file: string }[] }
  | { next: "again" }
  | { next: "wait"; ms: number }
  | { next: "stop" };

/** A receiver with a rate makes messages wait for about this long. */
const imminentMs = 1500;
/** A machine that slept is noticed within this time. */
export const maxSleepMs = 15_000;

export function decide(situation: Situation, rules: StayRules): Decision {
  const { now, lanes, hasBacklog, repeatAt = Infinity } = situation;
  const nexts = lanes.map((lane) => ({ lane, next: nextFor(lane, now) }));
  const due = nexts.flatMap(({ lane, next }) =>
    next !== undefined && "send" in next ? [{ lane, file: next.send }] : [],
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

export function isBusy({ now, lanes, isWorking }: Situation, { isLeavingRetries }: StayRules): boolean {
  return (
    isWorking ||
    lanes.some((lane) => {
      const next = nextFor(lane, now);
      if (next === undefined || lane.lacksSecret) return false;
      return "send" in next || !isLeavingRetries || next.at - now <= imminentMs;
    })
  );
}

/** Within a session, order is kept but for what attention holds; of several sessions, one that asks comes first. */
export function nextFor(lane: Lane, now: number): { send: string } | { at: number } | undefined {
  const { waiting, unrecorded, closedUntil } = lane;
  if (lane.sending !== undefined || waiting.size === 0) return undefined;
  const opensAt = Math.max(now, closedUntil);
  const first = unrecorded === undefined ? firstDue(lane, opensAt) : { file: unrecorded.file, at: opensAt };
  return first.at <= now ? { send: first.file } : { at: first.at };
}

function firstDue({ waiting, urgent }: Lane, opensAt: number): { file: string; at: number } {
  const sessions = new Set<string>();
  let next = { file: "", at: Infinity };
  for (const { file, session, notBefore, hold, isUrgent } of waiting.values()) {
    if (sessions.has(session)) continue;
    if (notBefore <= opensAt) {
      if (isUrgent === true || urgent === 0) return { file, at: opensAt };
      if (next.at > opensAt) next = { file, at: opensAt };
    }
    if (hold === undefined) sessions.add(session);
    if (notBefore < next.at) next = { file, at: notBefore };
  }
  return next;
}
