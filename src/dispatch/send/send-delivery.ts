import { failed, type Failed, type Outcome } from "../../model/outcome.ts";
import { readDelivery } from "../../outbox/deliveries.ts";
import { readEndpoint } from "../../outbox/endpoints.ts";
import { readSession } from "../../outbox/sessions.ts";
import { quarantine } from "../../outbox/rejected.ts";
import type { Delivery } from "../../model/delivery.ts";
import { attempt, readySettings } from "./attempt.ts";
import { afterClockStep } from "../policy/clock-step.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isSwitchedOff } from "../policy/endpoint-policy.ts";
import { revived } from "../policy/retry-timing.ts";
import { settle, type Settled } from "../settle/settle.ts";
import { findChannel } from "../../rules/built-in.ts";

/** What one try came to. `outcome` is absent when there was nothing to send. */
export interface AttemptResult {
  delivery?: Delivery;
  outcome?: Outcome;
  /** Moves the delivery to its next state on the disk. After a full disk it can be called again, instead of sending again. */
  settle(): Settled;
}

export type Sent = Omit<AttemptResult, "settle"> & { settled: Settled };

/** Sends one delivery of the outbox, as it lies there now, and moves it to its next state. */
export async function sendFile(dispatcher: Dispatcher, file: string): Promise<Sent> {
  const { settle: settleTried, ...said } = await attemptDelivery(dispatcher, file);
  return { ...said, settled: settleTried() };
}

/** Sends one delivery of the outbox, as it lies there now. */
export async function attemptDelivery(dispatcher: Dispatcher, file: string): Promise<AttemptResult> {
  const { layout, tools } = dispatcher;
  const reading = readDelivery(layout, "outbox", file);
  if (reading.status === "gone") return { settle: () => ({ next: "done", added: [] }) };
  if (reading.status === "broken") {
    const { problem } = reading;
    return {
      settle() {
        quarantine(layout, "outbox", file, problem, tools.clock.now());
        return { next: "dead", added: [] };
      },
    };
  }
  const startedAt = tools.clock.now();
  const channel = findChannel(dispatcher.rules().rules, reading.delivery.channel);
  // Whoever sends it has it: what it becomes is anybody's again.
  const { claimedUntil: _, ...delivery } = revived(afterClockStep(reading.delivery, startedAt), channel, startedAt);
  const { outcome, secretsDigest } = await send();
  const said = { outcome, channel, secretsDigest, startedAt };
  return { delivery, outcome, settle: () => settle(dispatcher, file, delivery, said) };

  /** `secretsDigest` is there when the receiver was really asked. */
  async function send(): Promise<{ outcome: Outcome; secretsDigest?: string }> {
    if (delivery.expiresAt <= startedAt) {
      return { outcome: expired(delivery, readEndpoint(layout, delivery.channel).missingSecret?.detail) };
    }
    if (channel === undefined) {
      return { outcome: failed("unavailable", `no channel "${delivery.channel}" in the rules file any more`) };
    }
    const ready = await readySettings(channel, dispatcher.rules().rules, tools);
    if ("status" in ready) {
      // Whoever has named another channel need not wait for an environment that may never come.
      const isUseless = ready.reason === "missingSecret" && delivery.fallback.length > 0;
      return { outcome: isUseless ? failed("unavailable", ready.detail) : ready };
    }
    const { secretsDigest } = ready;
    const endpoint = readEndpoint(layout, delivery.channel);
    if (endpoint.switchedOff !== undefined && isSwitchedOff(endpoint, channel.fingerprint, secretsDigest)) {
      const { reason, at, detail } = endpoint.switchedOff;
      return { outcome: failed(reason, `switched off since ${new Date(at).toLocaleString("sv-SE")}: ${detail}`) };
    }
    const session = readSession(layout, delivery.event.agent, delivery.event.session);
    const remembered = session.remembered[delivery.channel];
    const terminal = channel.channelType.isShownInTerminal ? session.terminal : undefined;
    return { outcome: await attempt(delivery, channel, ready, remembered, tools, terminal), secretsDigest };
  }
}

/** `lacking`: what its channel waits for; only one of those that wait is tried. */
function expired({ lastFailure }: Delivery, lacking: string | undefined): Failed {
  const { reason, detail } = lastFailure ?? { reason: "missingSecret", detail: lacking };
  const why = detail === undefined ? "it was never tried" : `last: ${reason}, ${detail}`;
  return failed("expired", `too old to be worth delivering; ${why}`);
}
