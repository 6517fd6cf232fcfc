// Takes back or changes what a session still shows once the user has answered its agent.
import { isDeepStrictEqual } from "node:util";
import type { Withdrawal } from "../../attention/answered.ts";
import type { Place } from "../../model/answer.ts";
import type { Delivery } from "../../model/delivery.ts";
import { limitContent } from "../../model/privacy/content.ts";
import type { AgentEvent } from "../../model/event.ts";
import { isOfAllSessions } from "../../model/own-events.ts";
import {
  deliveryFileName,
  deliveryIdOf,
  newDelivery,
  writeDelivery,
  type DeliveryFile,
} from "../../outbox/deliveries/deliveries.ts";
import type { Layout } from "../../outbox/layout.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { uniqueName } from "../../system/files/files.ts";
import { callChannel, noteFailedCall } from "../call-channel.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isEmptyList, replacedBy } from "../plan/waiting-list.ts";

const withdrawTimeoutMs = 5000;

type Session = Pick<AgentEvent, "agent" | "session">;

/** Since this event, what the session shows on these channels is out of date. */
export interface Outdated {
  event: AgentEvent;
  withdrawal: Withdrawal;
  isMeant: (channel: string) => boolean;
}

/** What cannot be taken back now stays remembered. Returns deliveries that change what can never be taken back. */
export async function withdrawShown(
  dispatcher: Dispatcher,
  { event, withdrawal, isMeant }: Outdated,
): Promise<DeliveryFile[]> {
  const edits: DeliveryFile[] = [];
  for (const { channel, place } of placesOf(dispatcher, event)) {
    if (!isMeant(channel.name)) continue;
    const { withdraw, editsEarlier } = channel.channelType;
    if (withdraw !== undefined) await takeBack(dispatcher, event, channel, place, withdrawal.why);
    else if (withdrawal.isAnswer && (isOfAllSessions(event) || editsEarlier?.(channel.settings as never))) {
      edits.push(placeEdit(dispatcher, event, channel, withdrawal.why));
    }
  }
  return edits;
}

/**
 * Call it after the list was sent: before, a single session's message may still be on its way, or the last question of the
 * list may be answered meanwhile.
 */
export async function withdrawReplaced(dispatcher: Dispatcher, { event, channel }: Delivery): Promise<void> {
  const isEmpty = isEmptyList(dispatcher, event, channel);
  const why = isEmpty ? "no session waits any more" : "all sessions that wait are in one list";
  for (const shown of isEmpty ? [event] : replacedBy(dispatcher, event)) {
    const withdrawal = { why, isAnswer: false };
    await withdrawShown(dispatcher, { event: shown, withdrawal, isMeant: (name) => name === channel });
  }
}

/** The person knows: what rings until it is acknowledged stops. */
export async function stopRinging(dispatcher: Dispatcher, session: Session, why: string): Promise<void> {
  for (const { channel, place } of placesOf(dispatcher, session)) {
    if (channel.channelType.acknowledged !== undefined) await takeBack(dispatcher, session, channel, place, why);
  }
}

/** Where channels that still exist show something of the session. */
export function placesOf(
  { layout, rules }: Dispatcher,
  { agent, session }: Session,
): { channel: Channel; place: Place }[] {
  return Object.entries(readSession(layout, agent, session).remembered).flatMap(([name, place]) => {
    const channel = findChannel(rules().rules, name);
    return channel === undefined ? [] : [{ channel, place }];
  });
}

async function takeBack(
  dispatcher: Dispatcher,
  session: Session,
  channel: Channel,
  place: Place,
  why: string,
): Promise<void> {
  const called = await callChannel(dispatcher, channel, { timeoutMs: withdrawTimeoutMs }, (settings, tools) =>
    channel.channelType.withdraw?.(settings, place, tools, why),
  );
  if (!noteFailedCall(dispatcher, channel, "not withdrawn", called)) {
    forgetPlace(dispatcher.layout, session, channel.name, place);
  }
}

/** `taken`: only if it is still this one; something newer may have been shown meanwhile. */
export function forgetPlace(layout: Layout, { agent, session }: Session, channel: string, taken?: Place): void {
  const latest = readSession(layout, agent, session);
  if (taken !== undefined && !isDeepStrictEqual(latest.remembered[channel], taken)) return;
  const { [channel]: _, ...others } = latest.remembered;
  writeSession(layout, { ...latest, remembered: others });
}

/** Stands in place of a rule's name. */
const ownEditRule = "hookbell's own edit";

/** The delivery edits the earlier message. */
function placeEdit({ layout, tools }: Dispatcher, event: AgentEvent, channel: Channel, why: string): DeliveryFile {
  const now = tools.clock.now();
  const delivery = newDelivery(now, {
    kind: "edit",
    id: deliveryIdOf(`${event.id} answered`, channel.name),
    channel: channel.name,
    rule: ownEditRule,
    event: limitContent({ ...event, message: undefined, level: "info" }, channel.content),
    message: { title: `${event.project}: ${why}`, body: "", level: "info", fields: [] },
    expiresAt: now + channel.expiresAfterMs,
  });
  const file = deliveryFileName(uniqueName(now), 0, delivery.id);
  writeDelivery(layout, "outbox", file, delivery);
  return { file, delivery };
}
