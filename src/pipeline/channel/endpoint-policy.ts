// When a receiver may be asked: by its own word, the breaker and its rate. A send reads its channel once and hands it down.
import { formatDuration } from "../../model/figures/duration.ts";
import { nextAt, peek, type Rate, take } from "../../model/figures/token-bucket.ts";
import { failed, type Failed, type FailureReason, type Outcome } from "../../model/outcome.ts";
import { type Endpoint, readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import { setBackMs, type Random } from "../../system/clock.ts";
import { backoffMs } from "./waiting-delivery.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";

export const breakerThreshold = 3;
/** A receiver that is back is noticed within this time. */
export const maxProbeMs = 2 * 60_000;

/** These are failures of the receiver, not of one message. */
const failuresOfReceiver: ReadonlySet<FailureReason> = new Set(["network", "timeout", "serverError", "unknown"]);
/** Only the user can fix these. */
const failuresOfSettings: ReadonlySet<FailureReason> = new Set(["gone", "unauthorized"]);

/** Milliseconds since the epoch. */
export function openFrom(endpoint: Endpoint, rate: Rate | undefined, nowMs: number): number {
  const { notBefore = 0, breaker, writtenAt = 0 } = endpoint;
  const backMs = setBackMs(writtenAt, nowMs);
  const breakerAt = breaker !== undefined && breaker.failures >= breakerThreshold ? breaker.probeAt : 0;
  const waitMs = rate === undefined ? 0 : nextAt(fullAtOf(endpoint, rate, nowMs), rate, nowMs) - nowMs;
  return Math.max(nowMs + Math.ceil(waitMs), notBefore - backMs, breakerAt - backMs);
}

export function whyNotYet(endpoint: Endpoint, rate: Rate | undefined, nowMs: number): Failed | undefined {
  const leftMs = openFrom(endpoint, rate, nowMs) - nowMs;
  if (leftMs <= 0) return undefined;
  const isAsked = openFrom({ ...endpoint, breaker: undefined, bucket: undefined }, undefined, nowMs) > nowMs;
  const isBroken = openFrom({ ...endpoint, notBefore: undefined, bucket: undefined }, undefined, nowMs) > nowMs;
  const left = formatDuration(Math.ceil(leftMs / 1000) * 1000);
  if (isAsked) return failed("rateLimited", `its receiver asks hookbell to wait another ${left}`, leftMs);
  if (isBroken) {
    return failed("network", `it failed ${endpoint.breaker?.failures} times in a row; next attempt in ${left}`, leftMs);
  }
  return failed("rateLimited", `rate limit reached; next attempt in ${left}`, leftMs);
}

/** True for just these settings and secrets. */
export function isSwitchedOff({ switchedOff }: Endpoint, fingerprint: string, secretsDigest: string): boolean {
  return switchedOff?.fingerprint === fingerprint && switchedOff.secretsDigest === secretsDigest;
}

export function withRequest(endpoint: Endpoint, rate: Rate | undefined, nowMs: number): Endpoint {
  if (rate === undefined) return endpoint;
  const tokens = peek(take(fullAtOf(endpoint, rate, nowMs), rate, nowMs), rate, nowMs);
  return { ...endpoint, writtenAt: nowMs, bucket: { tokens, at: nowMs } };
}

export function withOutcome(
  before: Endpoint,
  outcome: Outcome,
  { nowMs, random, ...settings }: { nowMs: number; random: Random; fingerprint: string; secretsDigest: string },
): Endpoint {
  // The receiver was asked, so the secrets were there.
  const endpoint = { ...before, missingSecret: undefined };
  if (outcome.status === "delivered") {
    const { channel, bucket, writtenAt } = endpoint;
    return bucket === undefined ? { channel } : { channel, bucket, writtenAt };
  }
  const { reason, detail, retryAfterMs } = outcome;
  // Pause even if the receiver does not say for how long.
  const pauseMs = reason === "rateLimited" ? Math.max(retryAfterMs ?? 0, backoffMs(1, random)) : retryAfterMs;
  const next: Endpoint =
    pauseMs === undefined ? endpoint : { ...endpoint, notBefore: nowMs + pauseMs, writtenAt: nowMs };
  if (failuresOfSettings.has(reason)) {
    return { ...next, breaker: undefined, switchedOff: { reason, detail, at: nowMs, ...settings } };
  }
  if (!failuresOfReceiver.has(reason)) return next;
  const failures = (endpoint.breaker?.failures ?? 0) + 1;
  const waitMs = Math.min(maxProbeMs, backoffMs(failures, random));
  return { ...next, breaker: { failures, probeAt: nowMs + waitMs }, writtenAt: nowMs };
}

/** A bucket of a later time is from before the clock was set back. */
function fullAtOf({ bucket }: Endpoint, { messages, perMs }: Rate, nowMs: number): number {
  if (bucket === undefined || bucket.at > nowMs) return nowMs;
  return bucket.at + ((messages - bucket.tokens) * perMs) / messages;
}

/** A channel as a send finds it. */
export interface ChannelState {
  name: string;
  /** Undefined once the rules have no such channel. */
  channel: Channel | undefined;
  endpoint: Endpoint;
}

export function readChannelState({ layout, rules }: Dispatcher, name: string): ChannelState {
  return { name, channel: findChannel(rules().rules, name), endpoint: readEndpoint(layout, name) };
}

/** Milliseconds since the epoch. */
export function opensAt({ channel, endpoint }: ChannelState, nowMs: number): number {
  return openFrom(endpoint, rateOf({ channel, endpoint }), nowMs);
}

export function takeTurn({ layout }: Dispatcher, state: ChannelState, nowMs: number): ChannelState {
  const rate = rateOf(state);
  if (rate === undefined) return state;
  const endpoint = withRequest(state.endpoint, rate, nowMs);
  writeEndpoint(layout, endpoint);
  return { ...state, endpoint };
}

/** A receiver that is switched off is not asked, so it has no rate. */
function rateOf({ channel, endpoint: { switchedOff } }: Omit<ChannelState, "name">): Channel["channelType"]["rate"] {
  return switchedOff !== undefined && switchedOff.fingerprint === channel?.fingerprint
    ? undefined
    : channel?.channelType.rate;
}
