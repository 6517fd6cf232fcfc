import { failed, type Outcome } from "../model/outcome.ts";
import { readDelivery } from "../outbox/deliveries.ts";
import { readEndpoint } from "../outbox/endpoints.ts";
import { readSession } from "../outbox/sessions.ts";
import { setAsideBroken } from "../outbox/set-aside.ts";
import type { Delivery } from "../model/delivery.ts";
import { attempt } from "./attempt.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { settle, type Settled } from "./settle.ts";
import { findChannel } from "./tell.ts";

/** What sending one file of the outbox came to. `outcome` is absent when there was nothing to send. */
export interface Sent {
  delivery?: Delivery;
  outcome?: Outcome;
  settled: Settled;
}

/** Sends one delivery of the outbox, as it lies there now, and moves it to its next state. */
export async function sendFile(dispatcher: Dispatcher, file: string): Promise<Sent> {
  const { layout, tools } = dispatcher;
  const reading = readDelivery(layout, "outbox", file);
  if (reading.status === "gone") return { settled: { next: "done", added: [] } };
  if (reading.status === "broken") {
    setAsideBroken(layout, "outbox", file, reading.problem, tools.clock.now());
    return { settled: { next: "dead", added: [] } };
  }
  const { delivery } = reading;
  const startedAt = tools.clock.now();
  const channel = findChannel(dispatcher.rules().rules, delivery.channel);
  const outcome = await send();
  return { delivery, outcome, settled: settle(dispatcher, file, delivery, channel, outcome, startedAt) };

  async function send(): Promise<Outcome> {
    if (delivery.expiresAt <= startedAt) {
      const { lastFailure } = delivery;
      const why =
        lastFailure === undefined ? "it was never tried" : `last: ${lastFailure.reason}, ${lastFailure.detail}`;
      return failed("expired", `too old to be worth delivering; ${why}`);
    }
    if (channel === undefined) {
      return failed("unavailable", `no channel "${delivery.channel}" in the rules file any more`);
    }
    const { switchedOff } = readEndpoint(layout, delivery.channel);
    if (switchedOff !== undefined && switchedOff.fingerprint === channel.fingerprint) {
      return failed(
        switchedOff.reason,
        `switched off since ${new Date(switchedOff.at).toISOString()}: ${switchedOff.detail}`,
      );
    }
    const session = readSession(layout, delivery.event.agent, delivery.event.session);
    return await attempt(delivery, channel, session.remembered[delivery.channel], tools);
  }
}
