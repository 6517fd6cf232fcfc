// How many requests each caller may send, and what it may send in them.
import { nextAt, type Rate, take } from "../model/figures/token-bucket.ts";
import { type Clock, setBackMs } from "../system/clock.ts";
import { HttpProblem } from "./problems.ts";
import { createBodyReader } from "./read-body.ts";
import type { AppParts, Guard } from "./served.ts";

/** One key may ask so often. */
export const keyLimit = { burst: 300, perSecond: 20 };
/** One address that gives no key, or a wrong one, may ask so often. */
export const strangerLimit = { burst: 30, perSecond: 1 };

export function createGuard({ clock, addressOf }: AppParts): Guard {
  const takeFromKey = createRateLimiter(clock, keyLimit);
  const takeFromAddress = createRateLimiter(clock, strangerLimit);
  const readBody = createBodyReader();
  return {
    refuse(context, detail) {
      const seconds = takeFromAddress(addressOf(context));
      return seconds === undefined ? new HttpProblem(401, detail, { "www-authenticate": "Bearer" }) : tooMany(seconds);
    },
    limit(name) {
      const seconds = takeFromKey(name);
      if (seconds !== undefined) throw tooMany(seconds);
    },
    readText: async (context, sender, maxBytes) =>
      await readBody(context.req.raw, sender ?? addressOf(context), maxBytes),
  };
}

/** The answer to who has sent too much: `seconds` is when to try again. */
export function tooMany(seconds: number, what = "requests"): HttpProblem {
  return new HttpProblem(429, `too many ${what}; try again in ${seconds} s`, { "retry-after": String(seconds) });
}

interface RateLimit {
  /** Requests at once after a pause. */
  burst: number;
  perSecond: number;
}

/** With more callers, those not heard of for the longest are forgotten. */
const maxCallers = 10_000;

/** Takes one request of the caller; returns the seconds to wait when there is none left. */
export function createRateLimiter(
  clock: Clock,
  { burst, perSecond }: RateLimit,
): (caller: string) => number | undefined {
  const rate: Rate = { messages: burst, perMs: (burst * 1000) / perSecond };
  const buckets = new Map<string, { fullAt: number; askedAt: number }>();
  return (caller) => {
    const now = clock.now();
    const known = buckets.get(caller) ?? { fullAt: now, askedAt: now };
    const fullAt = known.fullAt - setBackMs(known.askedAt, now);
    const waitMs = nextAt(fullAt, rate, now) - now;
    buckets.delete(caller);
    if (buckets.size >= maxCallers) buckets.delete(buckets.keys().next().value ?? "");
    buckets.set(caller, { fullAt: waitMs > 0 ? fullAt : take(fullAt, rate, now), askedAt: now });
    return waitMs > 0 ? Math.max(1, Math.ceil(waitMs / 1000)) : undefined;
  };
}
