import { deliveryFormatVersion, type Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { deliveryIdOf } from "../../outbox/deliveries.ts";
import type { Rules } from "../../rules/rules.ts";
import { selectDeliveries, messageFor, type Selection } from "../../rules/apply/select.ts";

/** What becomes of an event, and why: one delivery for each chosen channel. */
export interface Plan {
  deliveries: Delivery[];
  selection: Selection;
}

export function planEvent(
  event: AgentEvent,
  payload: Record<string, unknown> | undefined,
  rules: Rules,
  nowMs: number,
): Plan {
  const words = createWords(event, payload);
  const selection = selectDeliveries(rules, event, payload, words);
  const chosen = new Set(selection.chosen.map(({ channel }) => channel.name));
  const eventMs = Date.parse(event.at);
  const deliveries = selection.chosen.map(({ channel, rule, event: told, message, payload: rest }): Delivery => ({
    version: deliveryFormatVersion,
    id: deliveryIdOf(event.id, channel.name),
    channel: channel.name,
    rule: rule.name,
    event: told,
    message,
    payload: channel.channelType.passesPayload ? rest : undefined,
    fallback: rule.fallback.flatMap((name) => {
      const instead = rules.channels[name];
      // One that is notified anyway need not stand in for another.
      if (instead === undefined || chosen.has(name)) return [];
      const { event: said, message: shown } = messageFor(rule, instead, words);
      return [{ channel: name, event: said, message: shown }];
    }),
    createdAt: nowMs,
    notBefore: nowMs,
    // Counted from the event, so that what waited unread for hours is not fresh again.
    expiresAt: eventMs + channel.expiresAfterMs,
    attempts: 0,
  }));
  return { deliveries, selection };
}
