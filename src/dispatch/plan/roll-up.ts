// One notification for all waiting sessions, on channels that can replace what they show.
import { agentName } from "../../agents/index.ts";
import { waitingMessage, waitingSessions, type WaitingSession } from "../../attention/waiting.ts";
import { isQuestion, wasQuestion, type AgentEvent } from "../../model/event.ts";
import { isOfAllSessions, ofAllSessions } from "../../model/own-events.ts";
import { deliveryFileName, deliveryIdOf, newDelivery, type DeliveryFile } from "../../outbox/deliveries.ts";
import type { Layout } from "../../outbox/layout.ts";
import { listSessions, readSession, type SessionRecord } from "../../outbox/sessions.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { isStillThere } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { Planned } from "./plan-event.ts";

/** Reading all records for every event would take too long. */
const asking = new WeakMap<Layout, Map<string, SessionRecord>>();

const keyOf = ({ agent, session }: Pick<SessionRecord, "agent" | "session">): string => `${agent}\n${session}`;

/** Sessions with an open question, by agent and session. */
export function askingIn(layout: Layout): Map<string, SessionRecord> {
  const known = asking.get(layout);
  if (known !== undefined) return known;
  const read = new Map(
    listSessions(layout)
      .filter(hasQuestion)
      .map((session) => [keyOf(session), session]),
  );
  asking.set(layout, read);
  return read;
}

/** Call it with each record that changes. */
export function noteSession(layout: Layout, session: SessionRecord): void {
  const known = asking.get(layout);
  if (hasQuestion(session)) known?.set(keyOf(session), session);
  else known?.delete(keyOf(session));
}

function hasQuestion({ open = [] }: SessionRecord): boolean {
  return open.some(wasQuestion);
}

function allWaiting({ layout, tools }: Dispatcher, session?: SessionRecord): WaitingSession[] {
  const sessions = new Map(askingIn(layout));
  if (session !== undefined) sessions.set(keyOf(session), session);
  return waitingThere([...sessions.values()], tools.clock.now());
}

/** Without sessions whose process is gone. */
export function waitingThere(sessions: readonly SessionRecord[], nowMs: number): WaitingSession[] {
  const there = sessions.filter(
    ({ open = [], terminal }) => open.length > 0 && (terminal === undefined || isStillThere(terminal)),
  );
  return waitingSessions(there, nowMs);
}

/** The first of the list. */
export function oldestWaiting(dispatcher: Dispatcher): WaitingSession | undefined {
  return allWaiting(dispatcher)[0];
}

export function rollUp(
  dispatcher: Dispatcher,
  planned: Planned[],
  event: AgentEvent,
  session: SessionRecord,
): Planned[] {
  const isList = ({ channel, delivery }: Planned): boolean =>
    channel.channelType.showsAllSessions === true && delivery.hold === undefined;
  if (!isQuestion(event) || !planned.some(isList)) return planned;
  const waiting = allWaiting(dispatcher, session);
  if (waiting.length < 2) return planned;
  return planned.map((each) => {
    if (!isList(each)) return each;
    const { channel, delivery } = each;
    const message = { ...delivery.message, ...wordsFor(channel, waiting, dispatcher.tools.clock.now()), fields: [] };
    return { ...each, delivery: { ...delivery, message, event: { ...delivery.event, ...ofAllSessions } } };
  });
}

function wordsFor(
  { content }: Channel,
  waiting: readonly WaitingSession[],
  nowMs: number,
): { title: string; body: string } {
  const told = waiting.map((each) =>
    content === "none" ? { ...each, question: { ...each.question, words: undefined } } : each,
  );
  return waitingMessage(told, nowMs, agentName);
}

/** The sessions whose own notifications this list replaces. */
export function replacedBy({ layout }: Pick<Dispatcher, "layout">, event: AgentEvent): AgentEvent[] {
  if (!isOfAllSessions(event)) return [];
  return [...askingIn(layout).values()].map(({ agent, session }) => ({ ...event, agent, session }));
}

/** Each channel that shows a list gets a shorter one after an answer. With `isEmpty`, the channel takes it back. */
export function shortened(
  dispatcher: Dispatcher,
  event: AgentEvent,
  session: SessionRecord,
  position: string,
): { isEmpty: boolean; deliveries: DeliveryFile[] } {
  const { layout, rules, tools } = dispatcher;
  const { remembered } = readSession(layout, ofAllSessions.agent, ofAllSessions.session);
  const names = Object.keys(remembered);
  if (names.length === 0) return { isEmpty: false, deliveries: [] };
  const waiting = allWaiting(dispatcher, session).filter((each) => each.session !== session.session);
  if (waiting.length === 0) return { isEmpty: true, deliveries: [] };
  const now = tools.clock.now();
  const deliveries = names.flatMap((name, order) => {
    const channel = findChannel(rules().rules, name);
    if (channel === undefined) return [];
    const delivery = newDelivery(now, {
      id: deliveryIdOf(`${event.id} waiting`, name),
      channel: name,
      rule: "hookbell's own list",
      event: { ...event, ...ofAllSessions, message: undefined, level: "info" },
      message: { ...wordsFor(channel, waiting, now), level: "info", fields: [] },
      expiresAt: now + channel.expiresAfterMs,
    });
    return [{ file: deliveryFileName(position, 900 + order, delivery.id), delivery }];
  });
  return { isEmpty: false, deliveries };
}
