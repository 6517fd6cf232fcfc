import type { Delivery } from "../../model/delivery.ts";
import type { Channel } from "../../rules/rules.ts";

/** Beyond the channel's own deadline: the time that its secrets and a slow machine may take. */
const slackMs = 15_000;

/**
 * Until when a command in the foreground has a delivery for itself, in milliseconds since the epoch. Should it die, a
 * dispatcher takes the delivery up then.
 */
export function claimUntil(channel: Channel | undefined, nowMs: number): number {
  return nowMs + (channel?.channelType.timeoutMs ?? 0) + slackMs;
}

/** From when on a dispatcher may send it, in milliseconds since the epoch. */
export function dueAt({ notBefore, claimedUntil = 0 }: Pick<Delivery, "notBefore" | "claimedUntil">): number {
  return Math.max(notBefore, claimedUntil);
}
