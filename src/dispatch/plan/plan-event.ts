// Plans one delivery for each channel that the rules choose for an event.
import type { Hold } from "../../attention/verdict.ts";
import type { Delivery, EventDelivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { deliveryFileName, deliveryIdOf, newDelivery, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import { isBuiltIn } from "../../rules/built-in.ts";
import { type HoldBack, messageFor, selectDeliveries, type Selection } from "../../rules/apply/select.ts";
import type { ProjectFile } from "../../rules/project-file.ts";
import type { Channel, Rules } from "../../rules/rules.ts";

export interface PlannedDelivery {
  delivery: EventDelivery;
  channel: Channel;
}

/** A planned delivery with its place in the outbox. */
export interface Planned extends PlannedDelivery, DeliveryFile {
  delivery: EventDelivery;
}

export interface EventPlan {
  deliveries: PlannedDelivery[];
  selection: Selection;
}

/** The event is as its agent told it: rules match that. */
export function planEvent(
  event: AgentEvent,
  payload: Record<string, unknown> | undefined,
  rules: Rules,
  nowMs: number,
  holdBack?: HoldBack,
  project?: ProjectFile,
  kind: "event" | "stuck" | "limitReset" = "event",
): EventPlan {
  const words = createWords(event, payload);
  const selection = selectDeliveries(rules, event, payload, words, holdBack, project);
  const chosen = new Set(selection.chosen.map(({ channel }) => channel.name));
  // A message that only this machine's own screen and speakers get is kept once where it has neither.
  const isOnlyHere = selection.chosen.every(({ channel }) => isBuiltIn(channel));
  const plan = (
    each: Selection["chosen"][number],
    more: Partial<Pick<EventDelivery, "id" | "escalatesAfterMs" | "isOnlyHere">> = {},
  ): PlannedDelivery => {
    const { channel, rule, verdict, event: told, message, payload: rest } = each;
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
        const { event: said, message: shown } = messageFor(rule, instead, words);
        return [{ channel: name, event: said, message: shown }];
      }),
      expiresAt,
      joins: verdict.joins,
      ...(verdict.verdict === "hold" ? heldBy(verdict, { expiresAt }, channel.expiresAfterMs) : {}),
      ...more,
    });
    return { delivery, channel };
  };
  const steps = selection.steps.map((each) => {
    const { afterMs } = each.step;
    // Several steps may name one channel.
    const id = deliveryIdOf(`${event.id} ${each.rule.name} ${afterMs}`, each.channel.name);
    return plan(each, { id, escalatesAfterMs: afterMs });
  });
  const deliveries = selection.chosen.map((each, order) => plan(each, isOnlyHere && order === 0 ? { isOnlyHere } : {}));
  return { deliveries: [...deliveries, ...steps], selection };
}

/** The places are in the order in which they are sent. */
export function placesFor(position: string, deliveries: readonly PlannedDelivery[]): Planned[] {
  return deliveries.map((each, order) => ({ ...each, file: deliveryFileName(position, order, each.delivery.id) }));
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
