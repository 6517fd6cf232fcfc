// Whose key a request has, whether its role may do this, and how many new reports the key may store.
import type { Context } from "hono";
import { createRateLimiter, tooMany } from "../../../../http-server/guard.ts";
import type { Guard } from "../../../../http-server/served.ts";
import { HttpProblem } from "../../../../http-server/problems.ts";
import type { ApiRole } from "../../contract/endpoints.ts";
import { findKey, type ApiKey } from "../keys.ts";
import type { PlatformParts } from "./parts.ts";

/** One key may store so many new reports: a few hundred repositories every day, and no flood that displaces all others. */
export const reportLimit = { burst: 200, perSecond: 200 / 86_400 };

export interface KeyGuard extends Guard {
  /** The key of the request, if it may do this. Throws the answer otherwise. */
  requireKey(context: Context, roles: readonly ApiRole[]): ApiKey;
  /** Throws the answer when the key has stored too many new reports. */
  limitReports(name: string): void;
}

export function createKeyGuard(guard: Guard, { clock, keys }: PlatformParts): KeyGuard {
  const takeReport = createRateLimiter(clock, reportLimit);
  return {
    ...guard,
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
    limitReports(name) {
      const seconds = takeReport(name);
      if (seconds !== undefined) throw tooMany(seconds, "new reports of this key");
    },
  };
}
