// When a delivery is tried, and tried again.
import type { Delivery } from "../../model/delivery.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Random } from "../../system/clock.ts";

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const firstBackoffMs = 2000;
export const maxBackoffMs = 15 * 60 * 1000;
/** Zero would hammer a receiver that just failed. */
export const minBackoffMs = 250;

/** How long to wait after the n-th failed attempt (1 for the first), and at least as long as the receiver asked. */
export function backoffMs(attempts: number, random: Random, retryAfterMs = 0): number {
  const ceiling = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempts - 1, 30));
  return Math.max(minBackoffMs, Math.ceil(random() * ceiling), retryAfterMs);
}

/** Beyond the channel's own deadline: the time that its secrets and a slow machine may take. */
const slackMs = 15_000;

/**
 * Until when a command in the foreground has a delivery for itself, in milliseconds since the epoch. Should it die, a
 * dispatcher takes the delivery up then.
 */
export function claimUntil(channel: Channel | undefined, nowMs: number): number {
  return nowMs + (channel?.channelType.timeoutMs ?? 0) + slackMs;
}

/** From when on a dispatcher may send it, in milliseconds since the epoch. A secret that one lacked, the next may have. */
export function dueAt({ notBefore, claimedUntil = 0, lastFailure }: Delivery): number {
  return Math.max(lastFailure?.reason === "missingSecret" ? 0 : notBefore, claimedUntil);
}
