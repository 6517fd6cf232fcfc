// Plans one delivery for each channel that the rules choose for an event.
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { newDelivery } from "../../outbox/deliveries.ts";
import { messageFor, selectDeliveries, type Selection } from "../../rules/apply/select.ts";
import type { Rules } from "../../rules/rules.ts";

export interface EventPlan {
  deliveries: Delivery[];
  selection: Selection;
}

export function planEvent(
  event: AgentEvent,
  payload: Record<string, unknown> | undefined,
  rules: Rules,
  nowMs: number,
): EventPlan {
  const words = createWords(event, payload);
  const selection = selectDeliveries(rules, event, payload, words);
  const chosen = new Set(selection.chosen.map(({ channel }) => channel.name));
  const deliveries = selection.chosen.map(({ channel, rule, event: told, message, payload: rest }) =>
    newDelivery(nowMs, {
      channel: channel.name,
      rule: rule.name,
      event: told,
      message,
      payload: channel.channelType.passesPayload ? rest : undefined,
      fallback: rule.fallback.flatMap((name) => {
        const instead = rules.channels[name];
        // It is notified anyway.
        if (instead === undefined || chosen.has(name)) return [];
        const { event: said, message: shown } = messageFor(rule, instead, words);
        return [{ channel: name, event: said, message: shown }];
      }),
      // From the event on: what waited for hours is not fresh again.
      expiresAt: Date.parse(event.at) + channel.expiresAfterMs,
    }),
  );
  return { deliveries, selection };
}
