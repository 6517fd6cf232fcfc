// When a delivery of the outbox is tried: now or after a failure, after changes of the clock, and by `hookbell retry`.
import type { Delivery } from "../../model/delivery.ts";
import { isRetried } from "../../model/outcome.ts";
import { readDelivery } from "../../outbox/deliveries/deliveries.ts";
import { quarantine } from "../../outbox/rejected.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { type Random, setBackMs } from "../../system/clock.ts";
import type { Dispatcher } from "../dispatcher.ts";

/** What cannot be understood goes to rejected/. */
export function readWaiting({ layout, rules, tools }: Dispatcher, file: string): Delivery | "later" | undefined {
  const reading = readDelivery(layout, "outbox", file);
  const now = tools.clock.now();
  if (reading.status === "broken") quarantine(layout, "outbox", file, reading.problem, now);
  if (reading.status === "later") return "later";
  if (reading.status !== "read") return undefined;
  const { delivery } = reading;
  return resetManualRetry(afterClockStep(delivery, now), findChannel(rules().rules, delivery.channel), now);
}

/** After the clock was turned back, nothing waits longer than before. */
export function afterClockStep(delivery: Delivery, nowMs: number): Delivery {
  const { createdAt, notBefore, expiresAt, claimedUntil, lastFailure } = delivery;
  const backMs = setBackMs(Math.max(createdAt, lastFailure?.at ?? 0), nowMs);
  if (backMs === 0) return delivery;
  return {
    ...delivery,
    createdAt: Math.min(createdAt, nowMs),
    notBefore: notBefore - backMs,
    expiresAt: expiresAt - backMs,
    claimedUntil: claimedUntil === undefined ? undefined : claimedUntil - backMs,
    lastFailure: lastFailure === undefined ? undefined : { ...lastFailure, at: Math.min(lastFailure.at, nowMs) },
  };
}

/** A delivery whose last failure is not retryable was put back by `hookbell retry`. */
function resetManualRetry(delivery: Delivery, channel: Channel | undefined, nowMs: number): Delivery {
  const { lastFailure, ...rest } = delivery;
  if (lastFailure === undefined || isRetried(lastFailure.reason, channel?.channelType.isRepeatHarmless ?? false)) {
    return delivery;
  }
  const lifeMs = channel?.expiresAfterMs ?? delivery.expiresAt - delivery.createdAt;
  return { ...rest, attempts: 0, notBefore: nowMs, expiresAt: nowMs + lifeMs };
}

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const firstBackoffMs = 2000;
export const maxBackoffMs = 15 * 60 * 1000;
export const minBackoffMs = 250;

/** The pause after a failed attempt; `attempts` counts from 1. */
export function backoffMs(attempts: number, random: Random, retryAfterMs = 0): number {
  const ceiling = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempts - 1, 30));
  return Math.max(minBackoffMs, Math.ceil(random() * ceiling), retryAfterMs);
}

/** Reading the channel's secrets takes time, too, and machines may be slow. */
const slackMs = 15_000;

/** Only the command in the foreground sends it before this time. */
export function claimUntil(channel: Channel | undefined, nowMs: number): number {
  return nowMs + (channel?.channelType.timeoutMs ?? 0) + slackMs;
}

/** A secret that one dispatcher lacked, the next may have. */
export function dueAt({ notBefore, claimedUntil = 0, lastFailure }: Delivery): number {
  return Math.max(lastFailure?.reason === "missingSecret" ? 0 : notBefore, claimedUntil);
}
