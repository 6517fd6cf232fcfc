import type { Delivery } from "../../model/delivery.ts";
import { isRetried } from "../../model/outcome.ts";
import type { Channel } from "../../rules/rules.ts";

/**
 * `hookbell retry` moves dead letters back as they are, for thousands of them too. What lies in the outbox with a
 * failure that nobody retries by himself is one of those: it has all its tries and its channel's whole time again.
 */
export function revived(delivery: Delivery, channel: Channel | undefined, nowMs: number): Delivery {
  const { lastFailure, ...rest } = delivery;
  if (lastFailure === undefined || isRetried(lastFailure.reason, channel?.channelType.isRepeatHarmless ?? false)) {
    return delivery;
  }
  const lifeMs = channel?.expiresAfterMs ?? delivery.expiresAt - delivery.createdAt;
  return { ...rest, attempts: 0, notBefore: nowMs, expiresAt: nowMs + lifeMs };
}
