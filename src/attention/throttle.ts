// How many messages a rule or a channel sends in a time; more wait and leave as one.
import { formatDuration } from "../model/figures/duration.ts";
import { keyOf, type GroupField } from "./grouping.ts";
import { hold, type Objection, type Weighed } from "./verdict.ts";

/** A bucket of `messages` tokens fills in `perMs`. */
export interface Throttle {
  messages: number;
  perMs: number;
  by: readonly GroupField[];
}

/** When it is full again, by key; a missing bucket is full. */
export type Buckets = Readonly<Record<string, number>>;

export interface Throttles {
  rule?: Throttle | undefined;
  channel?: Throttle | undefined;
}

interface Gate {
  key: string;
  throttle: Throttle;
}

type Counted = Pick<Weighed, "event" | "rule" | "channel">;

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

export function objectThrottle(
  message: Counted,
  throttles: Throttles,
  buckets: Buckets,
  nowMs: number,
): Objection | undefined {
  const last = gatesOf(message, throttles)
    .map((gate) => {
      const { messages, perMs } = gate.throttle;
      return { ...gate, tokenAt: fullAtOf(buckets, gate, nowMs) - (perMs - perMs / messages) };
    })
    .toSorted((a, b) => a.tokenAt - b.tokenAt)
    .at(-1);
  if (last === undefined || last.tokenAt <= nowMs) return undefined;
  const { messages, perMs } = last.throttle;
  const limit = `${messages} ${messages === 1 ? "message" : "messages"} in ${formatDuration(perMs)}`;
  return hold("throttle", last.tokenAt, `throttled: more than ${limit}`, `throttle ${last.key}`);
}

export function bucketsAfter(message: Counted, throttles: Throttles, buckets: Buckets, nowMs: number): Buckets {
  const after = Object.fromEntries(Object.entries(buckets).filter(([, fullAt]) => fullAt > nowMs));
  for (const gate of gatesOf(message, throttles)) {
    const { messages, perMs } = gate.throttle;
    after[gate.key] = Math.max(nowMs, fullAtOf(buckets, gate, nowMs)) + perMs / messages;
  }
  return after;
}
