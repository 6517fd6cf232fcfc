// Plans one delivery for each channel that the rules choose for an event.
import type { Hold } from "../../attention/verdict.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { deliveryIdOf, newDelivery } from "../../outbox/deliveries.ts";
import { type HoldBack, messageFor, selectDeliveries, type Selection } from "../../rules/apply/select.ts";
import type { ProjectFile } from "../../rules/project-file.ts";
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
  holdBack?: HoldBack,
  project?: ProjectFile,
): EventPlan {
  const words = createWords(event, payload);
  const selection = selectDeliveries(rules, event, payload, words, holdBack, project);
  const chosen = new Set(selection.chosen.map(({ channel }) => channel.name));
  const plan = (each: Selection["chosen"][number], more: Partial<Delivery> = {}): Delivery => {
    const { channel, rule, verdict, event: told, message, payload: rest } = each;
    // By the event's time: what waited for hours is not fresh again.
    const expiresAt = Date.parse(event.at) + channel.expiresAfterMs;
    return newDelivery(nowMs, {
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
      expiresAt,
      ...(verdict.verdict === "hold" ? heldBy(verdict, { expiresAt }, channel.expiresAfterMs) : {}),
      ...more,
    });
  };
  const steps = selection.steps.map((each) => {
    const { afterMs } = each.step;
    // Several steps may name one channel.
    const id = deliveryIdOf(`${event.id} ${each.rule.name} ${afterMs}`, each.channel.name);
    return plan(each, { id, escalatesAfterMs: afterMs });
  });
  return { deliveries: [...selection.chosen.map((each) => plan(each)), ...steps], selection };
}

/** A message that waits for the person expires as usual; others get their time after the wait. */
export function heldBy(
  { by, until, why, gather }: Hold,
  { expiresAt }: Pick<Delivery, "expiresAt">,
  expiresAfterMs: number,
): Pick<Delivery, "hold" | "notBefore" | "expiresAt"> {
  const expires = by === "presence" ? expiresAt : Math.max(expiresAt, until + expiresAfterMs);
  return { hold: { by, why, gather }, notBefore: until, expiresAt: expires };
}
