import type { Rate } from "../../channels/channel-type.ts";
import { formatDuration } from "../../model/duration.ts";
import { failed, type Failed, type FailureReason, type Outcome } from "../../model/outcome.ts";
import type { Endpoint } from "../../outbox/endpoints.ts";
import type { Random } from "../../system/clock.ts";
import { backoffMs } from "./retry-timing.ts";

/** So many failures in a row open the breaker. */
export const breakerThreshold = 3;
/** A receiver that is back is noticed within this time. */
export const maxProbeMs = 2 * 60_000;

/** Failures of the receiver or the way to it, not of one message. */
const failuresOfReceiver: ReadonlySet<FailureReason> = new Set(["network", "timeout", "serverError", "unknown"]);
/** What only the person can fix, in the settings. */
const failuresOfSettings: ReadonlySet<FailureReason> = new Set(["gone", "unauthorized"]);

/** From when on a request may go to this destination, in milliseconds since the epoch. */
export function openFrom(endpoint: Endpoint, rate: Rate | undefined, nowMs: number): number {
  const { failures = 0, probeAt = 0 } = endpoint.breaker ?? {};
  // What only a clock that has been turned back since can have written counts for nothing.
  const breakerAt = failures >= breakerThreshold && probeAt <= nowMs + maxProbeMs ? probeAt : 0;
  const askedAt = (endpoint.saidAt ?? 0) > nowMs ? 0 : (endpoint.notBefore ?? 0);
  return Math.max(nowMs, askedAt, breakerAt, rate === undefined ? 0 : nextTokenAt(endpoint, rate, nowMs));
}

/** Why no request may go there yet, for a person who waits for it; undefined when one may. */
export function whyNotYet(endpoint: Endpoint, rate: Rate | undefined, nowMs: number): Failed | undefined {
  const leftMs = openFrom(endpoint, rate, nowMs) - nowMs;
  if (leftMs <= 0) return undefined;
  const isAsked = openFrom({ ...endpoint, breaker: undefined, bucket: undefined }, undefined, nowMs) > nowMs;
  const isBroken = openFrom({ ...endpoint, notBefore: undefined, bucket: undefined }, undefined, nowMs) > nowMs;
  const left = formatDuration(Math.ceil(leftMs / 1000) * 1000);
  if (isAsked) return failed("rateLimited", `its receiver asked for a pause of another ${left}`, leftMs);
  if (isBroken) {
    return failed("network", `it failed ${endpoint.breaker?.failures} times in a row; asked again in ${left}`, leftMs);
  }
  return failed("rateLimited", `its receiver takes no more than so many at once; asked again in ${left}`, leftMs);
}

/** Whether the receiver has refused us for good with just these settings and secrets. */
export function isSwitchedOff({ switchedOff }: Endpoint, fingerprint: string, secretsDigest: string): boolean {
  return switchedOff?.fingerprint === fingerprint && switchedOff.secretsDigest === secretsDigest;
}

/** The destination after one more request has started. */
export function withRequest(endpoint: Endpoint, rate: Rate | undefined, nowMs: number): Endpoint {
  if (rate === undefined) return endpoint;
  return { ...endpoint, bucket: { tokens: tokensAt(endpoint, rate, nowMs) - 1, at: nowMs } };
}

/** The destination after an outcome, where that says something about it. */
export function withOutcome(
  before: Endpoint,
  outcome: Outcome,
  { nowMs, random, ...settings }: { nowMs: number; random: Random; fingerprint: string; secretsDigest: string },
): Endpoint {
  // It was asked, so the secrets were there.
  const { missingSecret: _, ...endpoint } = before;
  if (outcome.status === "delivered") {
    return { ...endpoint, notBefore: undefined, saidAt: undefined, breaker: undefined, switchedOff: undefined };
  }
  const { reason, detail, retryAfterMs } = outcome;
  // Too much is too much, also where the receiver does not say for how long.
  const pauseMs = reason === "rateLimited" ? Math.max(retryAfterMs ?? 0, backoffMs(1, random)) : retryAfterMs;
  const next: Endpoint = pauseMs === undefined ? endpoint : { ...endpoint, notBefore: nowMs + pauseMs, saidAt: nowMs };
  if (failuresOfSettings.has(reason)) {
    return { ...next, breaker: undefined, switchedOff: { reason, detail, at: nowMs, ...settings } };
  }
  if (!failuresOfReceiver.has(reason)) return next;
  const failures = (endpoint.breaker?.failures ?? 0) + 1;
  const waitMs = Math.min(maxProbeMs, backoffMs(failures, random));
  return { ...next, breaker: { failures, probeAt: nowMs + waitMs } };
}

function tokensAt({ bucket }: Endpoint, { messages, perMs }: Rate, nowMs: number): number {
  // A clock that was set back must not keep the bucket empty until it has caught up.
  if (bucket === undefined || bucket.at > nowMs) return messages;
  return Math.min(messages, bucket.tokens + ((nowMs - bucket.at) * messages) / perMs);
}

function nextTokenAt(endpoint: Endpoint, rate: Rate, nowMs: number): number {
  const missing = 1 - tokensAt(endpoint, rate, nowMs);
  return missing <= 0 ? nowMs : nowMs + Math.ceil((missing * rate.perMs) / rate.messages);
}
