// Puts the message for the next channel into the outbox, where a channel cannot show it here.
import type { Dispatcher } from "../dispatcher.ts";
import { claimUntil } from "../channel/waiting-delivery.ts";
import type { Delivery } from "../../model/delivery.ts";
import {
  writeDelivery,
  type DeliveryFile,
  deliveryFileInstead,
  escalationOf,
  newDelivery,
} from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { findChannel } from "../../rules/built-in.ts";

/** `made`: ids of those that were made before, and of this one from now on. Returns what it added to the outbox. */
export function fallBack(dispatcher: Dispatcher, file: string, delivery: Delivery, made: Set<string>): DeliveryFile[] {
  const { layout, tools } = dispatcher;
  const { event, rule } = delivery;
  const [instead, ...fallback] = delivery.fallback;
  const channel = instead === undefined ? undefined : findChannel(dispatcher.rules().rules, instead.channel);
  if (instead === undefined || channel === undefined) return [];
  const now = tools.clock.now();
  const second = fallbackOf(now, delivery, {
    rule,
    ...instead,
    fallback,
    claimedUntil: dispatcher.isForeground ? claimUntil(channel, now) : undefined,
    expiresAt: Date.parse(event.at) + channel.expiresAfterMs,
  });
  if (made.has(second.id)) return [];
  const secondFile = deliveryFileInstead(file, second.id);
  writeDelivery(layout, "outbox", secondFile, second);
  made.add(second.id);
  const why =
    delivery.kind === "notice"
      ? `"${delivery.channel}" is not available; the next channel gets the message`
      : `"${delivery.channel}" is not available on this machine; its fallback gets the message`;
  const deliveries = [{ id: second.id, channel: second.channel, rule }];
  writeJournal(layout, now, { kind: "decision", event: event.id, deliveries, why });
  return [{ file: secondFile, delivery: second }];
}

/** The message for another channel. It has no buttons: only a channel that a rule chose may ask. */
function fallbackOf(
  now: number,
  delivery: Delivery,
  words: Pick<Delivery, "rule" | "channel" | "event" | "message" | "fallback" | "claimedUntil" | "expiresAt">,
): Delivery {
  if (delivery.kind === "notice") return newDelivery(now, { kind: "notice", ...words });
  if (delivery.kind === "summary")
    return newDelivery(now, { kind: "summary", summarises: delivery.summarises, ...words });
  if (delivery.kind === "limitReached" || delivery.kind === "limitReset")
    return newDelivery(now, { kind: delivery.kind, ...words });
  return newDelivery(now, { kind: "event", escalatesAfterMs: escalationOf(delivery), ...words });
}
