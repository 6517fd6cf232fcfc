// Sends one delivery of the outbox, and returns the result as data.
import type { Delivery } from "../../model/delivery.ts";
import { formatLocalTime } from "../../model/figures/duration.ts";
import { delivered, failed, type Failed, type Outcome } from "../../model/outcome.ts";
import { readSession } from "../../outbox/sessions.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isSwitchedOff } from "../policy/endpoint-policy.ts";
import { askedBy } from "../answers/ask.ts";
import { readyChannel } from "../call-channel.ts";
import { attempt, failedCall } from "./attempt.ts";
import type { ChannelState } from "./channel-state.ts";
import { readWaiting } from "./waiting-delivery.ts";

export interface AttemptResult {
  file: string;
  delivery: Delivery;
  attempt: Attempt;
}

export interface Attempt {
  state: ChannelState;
  outcome: Outcome;
  /** Absent when the receiver was not asked. */
  secretsDigest?: string;
  startedAt: number;
}

/** Undefined when there is nothing to send. */
export async function sendDelivery(
  dispatcher: Dispatcher,
  file: string,
  state: ChannelState,
): Promise<AttemptResult | undefined> {
  const startedAt = dispatcher.tools.clock.now();
  const waiting = readWaiting(dispatcher, file);
  if (typeof waiting !== "object") return undefined;
  const { claimedUntil: _, hold: __, ...delivery } = waiting;
  return {
    file,
    delivery,
    attempt: { state, startedAt, ...(await tryChannel(dispatcher, delivery, state, startedAt)) },
  };
}

async function tryChannel(
  dispatcher: Dispatcher,
  delivery: Delivery,
  { channel, endpoint }: ChannelState,
  nowMs: number,
): Promise<Pick<Attempt, "outcome" | "secretsDigest">> {
  const { layout } = dispatcher;
  if (delivery.expiresAt <= nowMs) return { outcome: expired(delivery, endpoint.missingSecret?.detail) };
  if (channel === undefined) {
    return { outcome: failed("unavailable", `no channel "${delivery.channel}" in the rules file any more`) };
  }
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) {
    const lacking = failedCall(ready);
    // The secret may never come, so the next channel gets the message.
    return { outcome: delivery.fallback.length > 0 ? failed("unavailable", lacking.detail) : lacking };
  }
  const { secretsDigest } = ready;
  if (endpoint.switchedOff !== undefined && isSwitchedOff(endpoint, channel.fingerprint, secretsDigest)) {
    const { reason, at, detail } = endpoint.switchedOff;
    return { outcome: failed(reason, `switched off since ${formatLocalTime(at)}: ${detail}`) };
  }
  const question = askedBy(dispatcher, delivery, channel);
  if (question !== undefined && "over" in question) {
    return { outcome: delivered({ detail: `not shown: ${question.over}` }) };
  }
  const session = readSession(layout, delivery.event.agent, delivery.event.session);
  const remembered = session.remembered[delivery.channel];
  const terminal = channel.channelType.isShownInTerminal ? session.terminal : undefined;
  const click = channel.channelType.raisesTerminal ? dispatcher.watchClick?.(delivery) : undefined;
  const shown = question === undefined ? { remembered, terminal, click } : { question: question.asked, click };
  const told = question === undefined ? delivery : { ...delivery, message: question.message };
  return { outcome: await attempt(told, channel, ready, shown), secretsDigest };
}

/** `lacking`: of those that wait for a secret, only one is tried. */
function expired({ lastFailure }: Delivery, lacking: string | undefined): Failed {
  const { reason, detail } = lastFailure ?? { reason: "missingSecret", detail: lacking };
  const why = detail === undefined ? "it was never tried" : `last: ${reason}, ${detail}`;
  return failed("expired", `too old to be worth delivering; ${why}`);
}
