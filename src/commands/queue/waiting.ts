import { openFrom } from "../../dispatch/policy/endpoint-policy.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Failed } from "../../model/outcome.ts";
import { printableLine } from "../../model/text.ts";
import { listDeliveries, readDelivery } from "../../outbox/deliveries.ts";
import { readEndpoint } from "../../outbox/endpoints.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Rules } from "../../rules/rules.ts";
import { localTime } from "../log/show-entry.ts";

/** What waits for one channel, and for what. */
export interface Waiting {
  channel: string;
  count: number;
  /** From when on something can be sent, in milliseconds since the epoch; in the past: at once. */
  until: number;
  /** Of the try that failed last. */
  reason?: Failed["reason"];
  detail?: string;
}

/** So many, the oldest, are looked into: a person wants to know why, and not to wait for thousands of files. */
const maxRead = 500;

export function findWaiting(layout: Layout, rules: Rules, nowMs: number): Waiting[] {
  const byChannel = new Map<string, { count: number; dueAt: Map<string, number>; failure?: Failure }>();
  for (const file of listDeliveries(layout, "outbox").slice(0, maxRead)) {
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status !== "read") continue;
    const { channel, event, notBefore, lastFailure } = reading.delivery;
    const found = byChannel.get(channel) ?? { count: 0, dueAt: new Map<string, number>() };
    byChannel.set(channel, found);
    found.count += 1;
    // Order is kept within a session: the first of it is what all of it waits for.
    if (!found.dueAt.has(event.session)) found.dueAt.set(event.session, notBefore);
    if (lastFailure !== undefined && lastFailure.at >= (found.failure?.at ?? 0)) found.failure = lastFailure;
  }
  return [...byChannel].map(([channel, { count, dueAt, failure }]) => {
    const endpoint = readEndpoint(layout, channel);
    const openAt = openFrom(endpoint, findChannel(rules, channel)?.channelType.rate, nowMs);
    const until = Math.max(Math.min(...dueAt.values()), openAt);
    const lacking = endpoint.missingSecret?.detail;
    const why = failure ?? (lacking === undefined ? undefined : { reason: "missingSecret" as const, detail: lacking });
    return { channel, count, until, ...(why === undefined ? {} : { reason: why.reason, detail: why.detail }) };
  });
}

type Failure = Pick<Failed, "reason" | "detail"> & { at: number };

/** `12 wait until 2026-01-31 17:51:19 (ops: connection refused)`. */
export function showWaiting({ channel, count, until, detail }: Waiting, nowMs: number): string {
  const wait = count === 1 ? "waits" : "wait";
  const when = until > nowMs ? ` until ${localTime(until)}` : "";
  return `${count} ${wait}${when} (${printableLine(detail === undefined ? channel : `${channel}: ${detail}`)})`;
}

/** With its time as ISO 8601, UTC. */
export function waitingAsJson({ until, ...rest }: Waiting): Record<string, unknown> {
  return { ...rest, until: new Date(until).toISOString() };
}
