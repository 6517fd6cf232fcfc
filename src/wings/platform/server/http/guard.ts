// Who may ask: the key of a request, its role, and how many requests it may send.
import { nextAt, type Rate, take } from "../../../../model/figures/token-bucket.ts";
import { type Clock, setBackMs } from "../../../../system/clock.ts";
import { findKey } from "../keys.ts";
import type { AppParts, Guard } from "./parts.ts";
import { HttpProblem } from "./problems.ts";
import { createBodyReader } from "./read-body.ts";

/** One key may ask so often. */
export const keyLimit = { burst: 300, perSecond: 20 };
/** One address that gives no key, or a wrong one, may ask so often. */
export const strangerLimit = { burst: 30, perSecond: 1 };

/** One key may store so many new reports: a few hundred repositories every day, and no flood that displaces all others. */
export const reportLimit = { burst: 200, perSecond: 200 / 86_400 };

export function createGuard({ clock, keys, addressOf }: AppParts): Guard {
  const takeFromKey = createRateLimiter(clock, keyLimit);
  const takeReport = createRateLimiter(clock, reportLimit);
  const takeFromAddress = createRateLimiter(clock, strangerLimit);
  const readBody = createBodyReader();
  const tooMany = (seconds: number, what = "requests"): HttpProblem =>
    new HttpProblem(429, `too many ${what}; try again in ${seconds} s`, { "retry-after": String(seconds) });
  const guard: Guard = {
    requireKey(context, roles) {
      const given = /^Bearer +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
      const key = given === undefined ? undefined : findKey(keys(), given);
      if (key === undefined) {
        throw guard.refuse(
          context,
          given === undefined ? "send a key: Authorization: Bearer KEY" : "the key is not known",
        );
      }
      guard.limit(key.name);
      if (!roles.includes(key.role)) {
        throw new HttpProblem(403, `the role ${key.role} may not do this; it takes ${roles.join(" or ")}`);
      }
      return key;
    },
    refuse(context, detail) {
      const seconds = takeFromAddress(addressOf(context));
      return seconds === undefined ? new HttpProblem(401, detail, { "www-authenticate": "Bearer" }) : tooMany(seconds);
    },
    limit(name) {
      const seconds = takeFromKey(name);
      if (seconds !== undefined) throw tooMany(seconds);
    },
    limitReports(name) {
      const seconds = takeReport(name);
      if (seconds !== undefined) throw tooMany(seconds, "new reports of this key");
    },
    readText: (context, key, maxBytes) => readBody(context.req.raw, key?.name ?? addressOf(context), maxBytes),
  };
  return guard;
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
