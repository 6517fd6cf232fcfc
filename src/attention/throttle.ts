// A limit on how many messages a rule or a channel sends in a time; what is over it waits and leaves as one.
import { formatDuration } from "../model/figures/duration.ts";
import { keyOf, type GroupField } from "./grouping.ts";
import { hold, type Objection, type Weighed } from "./verdict.ts";

/** A token bucket: it holds `messages` tokens, and an empty one is full after `perMs`. */
export interface Throttle {
  messages: number;
  perMs: number;
  /** One bucket for each value of these; one for everything without any. */
  by: readonly GroupField[];
}

/** By key, when the bucket is full again (milliseconds since the epoch). A missing bucket is full. */
export type Buckets = Readonly<Record<string, number>>;

export interface Throttles {
  rule?: Throttle | undefined;
  channel?: Throttle | undefined;
}

/** A throttle that the message has to pass, and the bucket it takes a token from. */
interface Gate {
  key: string;
  throttle: Throttle;
}

function gatesOf({ event, rule, channel }: Weighed, throttles: Throttles): Gate[] {
  const gate = (throttle: Throttle | undefined, owner: readonly string[]): Gate[] =>
    throttle === undefined ? [] : [{ key: `${JSON.stringify(owner)} ${keyOf(event, throttle.by)}`, throttle }];
  return [...gate(throttles.rule, ["rule", rule, channel]), ...gate(throttles.channel, ["channel", channel])];
}

/** No bucket takes longer than `perMs` to fill: a later time is from before the clock was turned back. */
function fullAtOf(buckets: Buckets, { key, throttle }: Gate, nowMs: number): number {
  const fullAt = Object.hasOwn(buckets, key) ? (buckets[key] ?? 0) : 0;
  return Math.min(fullAt, nowMs + throttle.perMs);
}

/** `openGroups`: until when messages wait in the outbox already, by their `gather` key. */
export function objectThrottle(
  message: Weighed,
  throttles: Throttles,
  buckets: Buckets,
  openGroups: ReadonlyMap<string, number>,
  nowMs: number,
): Objection | undefined {
  const waits = gatesOf(message, throttles).flatMap((gate) => {
    const { messages, perMs } = gate.throttle;
    const tokenAt = fullAtOf(buckets, gate, nowMs) - (perMs - perMs / messages);
    const gather = `throttle ${gate.key}`;
    if (tokenAt > nowMs) return [{ ...gate, gather, until: tokenAt }];
    // The next token is for those that wait already.
    const open = message.held === undefined ? openGroups.get(gather) : undefined;
    return open === undefined ? [] : [{ ...gate, gather, until: Math.max(open, nowMs) }];
  });
  const last = waits.toSorted((a, b) => a.until - b.until).at(-1);
  if (last === undefined) return undefined;
  const { messages, perMs } = last.throttle;
  const limit = `${messages} ${messages === 1 ? "message" : "messages"} in ${formatDuration(perMs)}`;
  return hold("throttle", last.until, `throttled: more than ${limit}`, last.gather);
}

/** The buckets once this message is sent. Full ones are left out. */
export function bucketsAfter(message: Weighed, throttles: Throttles, buckets: Buckets, nowMs: number): Buckets {
  const after = Object.fromEntries(Object.entries(buckets).filter(([, fullAt]) => fullAt > nowMs));
  for (const gate of gatesOf(message, throttles)) {
    const { messages, perMs } = gate.throttle;
    after[gate.key] = Math.max(nowMs, fullAtOf(buckets, gate, nowMs)) + perMs / messages;
  }
  return after;
}
