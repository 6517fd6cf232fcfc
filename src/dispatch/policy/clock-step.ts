import type { Delivery } from "../../model/delivery.ts";

/**
 * A delivery as it would lie there had the clock always been right: what was written down later than now was written
 * by a clock that has been turned back since, and its times move back with it. So nothing waits longer than it was to
 * wait. A clock that was turned on looks like time that has passed, and is taken for that. All times are UTC; no
 * change between summer and winter time comes near them.
 */
export function afterClockStep(delivery: Delivery, nowMs: number): Delivery {
  const { createdAt, notBefore, expiresAt, claimedUntil, lastFailure } = delivery;
  const aheadMs = Math.max(createdAt, lastFailure?.at ?? 0) - nowMs;
  if (aheadMs <= 0) return delivery;
  return {
    ...delivery,
    createdAt: Math.min(createdAt, nowMs),
    notBefore: notBefore - aheadMs,
    expiresAt: expiresAt - aheadMs,
    ...(claimedUntil === undefined ? {} : { claimedUntil: claimedUntil - aheadMs }),
    ...(lastFailure === undefined ? {} : { lastFailure: { ...lastFailure, at: Math.min(lastFailure.at, nowMs) } }),
  };
}
