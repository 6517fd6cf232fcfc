// How much is sent at once: news in a group, and what a rule or a channel sends in a time. What waits leaves as one message.
import type { AgentEvent } from "../model/event.ts";
import { formatDuration } from "../model/figures/duration.ts";
import { nextAt, type Rate, take } from "../model/figures/token-bucket.ts";
import { defer, isUrgent, type NotNow, type Candidate } from "./decision.ts";

export const groupFields = ["project", "session", "agent", "event"] as const;
export type GroupField = (typeof groupFields)[number];

export interface Grouping {
  by: readonly GroupField[];
  waitMs: number;
}

function keyOf(event: AgentEvent, by: readonly GroupField[]): string {
  const facts = {
    project: event.project,
    session: `${event.agent} ${event.session}`,
    agent: event.agent,
    event: event.name,
  };
  return JSON.stringify(by.map((field) => facts[field]));
}

/** All messages under one key leave with the first. */
export function groupPolicy(
  { event, level, rule, channel, deferred }: Candidate,
  grouping: Grouping | undefined,
  nowMs: number,
): NotNow | undefined {
  if (grouping === undefined || isUrgent(level)) return undefined;
  // The message leaves with the others that were deferred for the same reason.
  if (deferred !== undefined && (deferred.by !== "group" || deferred.until <= nowMs)) return undefined;
  const key = `group ${JSON.stringify([channel, rule])} ${keyOf(event, grouping.by)}`;
  const until = deferred?.until ?? nowMs + grouping.waitMs;
  return defer("group", until, `grouped for ${formatDuration(grouping.waitMs)}`, key);
}

/** Messages that agree in all fields of `by` share a bucket. */
export interface Throttle extends Rate {
  by: readonly GroupField[];
}

/** The time at which each bucket is full again, by key; a missing bucket is full. */
export type Buckets = Readonly<Record<string, number>>;

export interface Throttles {
  rule?: Throttle | undefined;
  channel?: Throttle | undefined;
}

interface Gate {
  key: string;
  throttle: Throttle;
}

type Counted = Pick<Candidate, "event" | "rule" | "channel">;

function gatesOf({ event, rule, channel }: Counted, throttles: Throttles): Gate[] {
  const gate = (throttle: Throttle | undefined, owner: readonly string[]): Gate[] =>
    throttle === undefined ? [] : [{ key: `${JSON.stringify(owner)} ${keyOf(event, throttle.by)}`, throttle }];
  return [...gate(throttles.rule, ["rule", rule, channel]), ...gate(throttles.channel, ["channel", channel])];
}

/** A later time is from before the clock was set back. */
function fullAtOf(buckets: Buckets, { key, throttle }: Gate, nowMs: number): number {
  const fullAt = Object.hasOwn(buckets, key) ? (buckets[key] ?? 0) : 0;
  return Math.min(fullAt, nowMs + throttle.perMs);
}

export function throttlePolicy(
  message: Counted,
  throttles: Throttles,
  buckets: Buckets,
  nowMs: number,
): NotNow | undefined {
  const last = gatesOf(message, throttles)
    .map((gate) => ({ ...gate, tokenAt: nextAt(fullAtOf(buckets, gate, nowMs), gate.throttle, nowMs) }))
    .toSorted((a, b) => a.tokenAt - b.tokenAt)
    .at(-1);
  if (last === undefined || last.tokenAt <= nowMs) return undefined;
  const { messages, perMs } = last.throttle;
  const limit = `${messages} ${messages === 1 ? "message" : "messages"} in ${formatDuration(perMs)}`;
  return defer("throttle", last.tokenAt, `throttled: more than ${limit}`, `throttle ${last.key}`);
}

export function bucketsAfter(message: Counted, throttles: Throttles, buckets: Buckets, nowMs: number): Buckets {
  const after = Object.fromEntries(Object.entries(buckets).filter(([, fullAt]) => fullAt > nowMs));
  for (const gate of gatesOf(message, throttles)) {
    after[gate.key] = take(fullAtOf(buckets, gate, nowMs), gate.throttle, nowMs);
  }
  return after;
}
