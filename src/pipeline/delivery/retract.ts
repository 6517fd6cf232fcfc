// Takes back or changes what a session still shows once the user has answered its agent.
import { isDeepStrictEqual } from "node:util";
import type { Outdated, RetractReason } from "../../policies/answered.ts";
import type { MessageReference } from "../../model/answer.ts";
import { type Delivery, isAboutList } from "../../model/delivery.ts";
import { limitContent, limitRequest } from "../../model/privacy/content.ts";
import type { AgentEvent } from "../../model/event.ts";
import {
  deliveryFileName,
  deliveryIdOf,
  newDelivery,
  writeDelivery,
  type DeliveryFile,
} from "../../outbox/deliveries/deliveries.ts";
import { forgetReference, type Owner, referencesOf } from "../../outbox/shared/shown.ts";
import { listSessions } from "../../outbox/sessions.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { uniqueName } from "../../system/files/files.ts";
import { callChannel, noteFailedCall } from "../channel/call-channel.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isListEmpty, replacedByList } from "../coalescer/waiting-list.ts";

const retractTimeoutMs = 5000;

/** What cannot be taken back now stays remembered. Returns deliveries that change what can never be taken back. */
export async function retractShown(
  dispatcher: Dispatcher,
  { event, owner, retraction, isMeant }: Outdated,
): Promise<DeliveryFile[]> {
  const edits: DeliveryFile[] = [];
  const isOfList = owner === "list";
  for (const { channel, reference } of referencesByChannel(dispatcher, owner ?? event)) {
    if (!isMeant(channel.name)) continue;
    const { retract, editsEarlier, editsSilently } = channel.channelType;
    const replaces = editsEarlier?.(channel.settings as never) === true;
    if (retract !== undefined) await retractOne(dispatcher, owner ?? event, channel, reference, retraction.why);
    else if (retraction.isAnswer && (isOfList || editsSilently || replaces)) {
      edits.push(placeEdit(dispatcher, event, channel, retraction, isOfList));
    } else if (retraction.isOfTurn === true && !replaces) {
      // The next answer is not to what this message says.
      forgetReference(dispatcher.layout, owner ?? event, channel.name, reference);
    }
  }
  return edits;
}

/**
 * Call it after the list was sent: before, a single session's message may still be on its way, or the last question of the
 * list may be answered meanwhile.
 */
export async function retractReplaced(dispatcher: Dispatcher, delivery: Delivery): Promise<void> {
  if (!isAboutList(delivery)) return;
  const { event, channel } = delivery;
  const isMeant = (name: string): boolean => name === channel;
  if (isListEmpty(dispatcher, channel)) {
    const retraction = { why: "no session waits any more", isAnswer: false };
    await retractShown(dispatcher, { event, owner: "list", retraction, isMeant });
    return;
  }
  for (const shown of replacedByList(dispatcher, event)) {
    const retraction = { why: "all sessions that wait are in one list", isAnswer: false };
    await retractShown(dispatcher, { event: shown, retraction, isMeant });
  }
}

/** The person knows: what rings until it is acknowledged stops. */
export async function stopRinging(dispatcher: Dispatcher, owner: Owner, why: string): Promise<void> {
  for (const { channel, reference } of referencesByChannel(dispatcher, owner)) {
    if (channel.channelType.acknowledged !== undefined) await retractOne(dispatcher, owner, channel, reference, why);
  }
}

/** Where channels that still exist show something of the owner. */
export function referencesByChannel(
  { layout, rules }: Dispatcher,
  owner: Owner,
): { channel: Channel; reference: MessageReference }[] {
  return [...referencesOf(layout, owner)].flatMap(([name, reference]) => {
    const channel = findChannel(rules().rules, name);
    return channel === undefined ? [] : [{ channel, reference }];
  });
}

async function retractOne(
  dispatcher: Dispatcher,
  owner: Owner,
  channel: Channel,
  reference: MessageReference,
  why: string,
): Promise<void> {
  const { layout } = dispatcher;
  if (channel.channelType.acknowledged !== undefined && isOfSeveral(dispatcher, channel.name, reference)) {
    forgetReference(layout, owner, channel.name, reference);
    return;
  }
  const called = await callChannel(dispatcher, channel, { timeoutMs: retractTimeoutMs }, (settings, tools) =>
    channel.channelType.retract?.(settings, reference, tools, why),
  );
  if (!noteFailedCall(dispatcher, channel, "not withdrawn", called)) {
    forgetReference(layout, owner, channel.name, reference);
  }
}

/** A message that stands for several sessions is that of each of them, and rings until the last one goes on. */
function isOfSeveral({ layout, tools }: Dispatcher, channel: string, reference: MessageReference): boolean {
  const owners = listSessions(layout, tools.clock.now()).filter(({ remembered }) =>
    isDeepStrictEqual(remembered[channel], reference),
  );
  return owners.length > 1;
}

/** Stands in place of a rule's name. */
const ownEditRule = "hookbell's own edit";

/** The delivery edits the earlier message. */
function placeEdit(
  { layout, tools }: Dispatcher,
  event: AgentEvent,
  channel: Channel,
  { why, asked }: RetractReason,
  isOfList: boolean,
): DeliveryFile {
  const now = tools.clock.now();
  const delivery = newDelivery(now, {
    kind: "edit",
    ...(isOfList && { isOfList }),
    id: deliveryIdOf(`${event.id} answered`, channel.name),
    channel: channel.name,
    rule: ownEditRule,
    event: limitContent({ ...event, message: undefined, level: "info" }, channel.content),
    message: {
      title: `${event.project}: ${why}`,
      body: limitRequest(asked, channel.content) ?? "",
      level: "info",
      fields: [],
    },
    expiresAt: now + channel.expiresAfterMs,
  });
  const file = deliveryFileName(uniqueName(now), 0, delivery.id);
  writeDelivery(layout, "outbox", file, delivery);
  return { file, delivery };
}
