// How many requests one caller may send: a bucket that fills again with time.
import type { Clock } from "../../system/clock.ts";

export interface RateLimit {
  /** Requests at once after a pause. */
  burst: number;
  perSecond: number;
}

/** With more callers, those not heard of for the longest are forgotten. */
const maxCallers = 10_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Takes one request of the caller; returns the seconds to wait when there is none left. */
export function createRateLimiter(
  clock: Clock,
  { burst, perSecond }: RateLimit,
): (caller: string) => number | undefined {
  const buckets = new Map<string, Bucket>();
  return (caller) => {
    const now = clock.now();
    const { tokens, atMs } = buckets.get(caller) ?? { tokens: burst, atMs: now };
    const filled = Math.min(burst, tokens + (Math.max(0, now - atMs) / 1000) * perSecond);
    buckets.delete(caller);
    if (buckets.size >= maxCallers) buckets.delete(buckets.keys().next().value ?? "");
    buckets.set(caller, { tokens: filled >= 1 ? filled - 1 : filled, atMs: now });
    return filled >= 1 ? undefined : Math.max(1, Math.ceil((1 - filled) / perSecond));
  };
}
