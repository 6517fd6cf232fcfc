// Passes a message to the rule's next channel when this machine cannot show it on the first.
import type { Delivery } from "../../model/delivery.ts";
import { isOwnNotice } from "../../model/own-events.ts";
import { deliveryFileInstead, newDelivery, writeDelivery, type DeliveryFile } from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { claimUntil } from "../policy/retry-timing.ts";

/** Two channels with the same fallback do not use it twice. */
const madeFallbacks = new WeakMap<Dispatcher["layout"], Set<string>>();

export function fallBack(dispatcher: Dispatcher, file: string, delivery: Delivery): DeliveryFile[] {
  const { layout, tools } = dispatcher;
  const { event, rule, summarises, escalatesAfterMs } = delivery;
  const [instead, ...fallback] = delivery.fallback;
  const channel = instead === undefined ? undefined : findChannel(dispatcher.rules().rules, instead.channel);
  if (instead === undefined || channel === undefined) return [];
  const now = tools.clock.now();
  const second = newDelivery(now, {
    rule,
    summarises,
    escalatesAfterMs,
    ...instead,
    fallback,
    claimedUntil: dispatcher.isForeground ? claimUntil(channel, now) : undefined,
    expiresAt: Date.parse(event.at) + channel.expiresAfterMs,
  });
  const made = madeFallbacks.get(layout) ?? new Set();
  madeFallbacks.set(layout, made);
  if (made.has(second.id)) return [];
  const secondFile = deliveryFileInstead(file, second.id);
  writeDelivery(layout, "outbox", secondFile, second);
  made.add(second.id);
  const why = isOwnNotice(event)
    ? `"${delivery.channel}" is not available; the next channel gets the message`
    : `"${delivery.channel}" is not available on this machine; its fallback gets the message`;
  const deliveries = [{ id: second.id, channel: second.channel, rule }];
  writeJournal(layout, now, { kind: "decision", event: event.id, deliveries, why });
  return [{ file: secondFile, delivery: second }];
}
