// The deliveries of an event for the channels that are chosen for it, whether a payload or a command made it.
import type { EventDelivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { deliveryIdOf, newDelivery } from "../../outbox/deliveries/deliveries.ts";
import { messageFor } from "../../rules/apply/channel-message.ts";
import type { Selection } from "../../rules/apply/select.ts";
import { isBuiltIn } from "../../rules/built-in.ts";
import type { Rules } from "../../rules/rules.ts";
import { deferredBy } from "../decide/decide.ts";
import type { Composed } from "./context.ts";

/** What is composed: an event as its agent told it, and which channels are chosen for it. */
export interface Composing {
  event: AgentEvent;
  payload?: Record<string, unknown> | undefined;
  selection: Pick<Selection, "chosen" | "steps">;
  kind?: Exclude<EventDelivery["kind"], "question">;
}

/** `nowMs`: milliseconds since the epoch. Steps of escalations come last. */
export function composeFor(
  { event, payload, selection, kind = "event" }: Composing,
  rules: Rules,
  nowMs: number,
): Composed[] {
  const words = createWords(event, payload);
  const chosen = new Set(selection.chosen.map(({ channel }) => channel.name));
  // A message that only this machine's own screen and speakers get is kept once where it has neither.
  const isOnlyHere = selection.chosen.every(({ channel }) => isBuiltIn(channel));
  const composeOne = (
    { channel, rule, decision }: Selection["chosen"][number],
    more: Partial<Pick<EventDelivery, "id" | "escalatesAfterMs" | "isOnlyHere">> = {},
  ): Composed => {
    const level = decision.action === "send" ? (decision.level ?? rule.level) : rule.level;
    const levelled = { ...rule, level };
    const { event: told, message, payload: rest, scrubbed } = messageFor(levelled, channel, words);
    // The event's time counts: what waited for hours is not fresh again.
    const expiresAt = Date.parse(event.at) + channel.expiresAfterMs;
    const delivery = newDelivery(nowMs, {
      kind,
      channel: channel.name,
      rule: rule.name,
      event: told,
      message,
      payload: channel.channelType.passesPayload ? rest : undefined,
      fallback: rule.fallback.flatMap((name) => {
        const instead = rules.channels[name];
        // The rules notify this channel anyway.
        if (instead === undefined || chosen.has(name)) return [];
        const { event: said, message: shown } = messageFor(levelled, instead, words);
        return [{ channel: name, event: said, message: shown }];
      }),
      expiresAt,
      joins: decision.joins,
      ...(decision.action === "defer" ? deferredBy(decision, { expiresAt }, channel.expiresAfterMs) : {}),
      ...more,
    });
    return { delivery, channel, scrubbed };
  };
  const steps = selection.steps.map((each) => {
    const { afterMs } = each.step;
    // Several steps may name one channel.
    const id = deliveryIdOf(`${event.id} ${each.rule.name} ${afterMs}`, each.channel.name);
    return composeOne(each, { id, escalatesAfterMs: afterMs });
  });
  const deliveries = selection.chosen.map((each, order) =>
    composeOne(each, isOnlyHere && order === 0 ? { isOnlyHere } : {}),
  );
  return [...deliveries, ...steps];
}
