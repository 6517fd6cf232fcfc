import type { Random } from "../../system/clock.ts";

/** Full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/ */
export const firstBackoffMs = 2000;
export const longestBackoffMs = 15 * 60 * 1000;
/** Zero would hammer a receiver that just failed. */
export const shortestBackoffMs = 250;

/** How long to wait after the n-th failed attempt (1 for the first), and at least as long as the receiver asked. */
export function backoffMs(attempts: number, random: Random, retryAfterMs = 0): number {
  const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(attempts - 1, 30));
  return Math.max(shortestBackoffMs, Math.ceil(random() * ceiling), retryAfterMs);
}
