// One message for the sessions that wait: which of them a channel lists, in what words, and what the list replaces.
import { agentName } from "../../agents/index.ts";
import { waitingMessage, waitingSessions, type WaitingSession } from "../../sessions/waiting.ts";
import type { Delivery, DeliveryOf } from "../../model/delivery.ts";
import { limitRequest } from "../../model/privacy/content.ts";
import { isQuestion, wasQuestion, type AgentEvent } from "../../model/event.ts";
import { ofAllSessions } from "../../model/own-events.ts";
import { deliveryFileName, deliveryIdOf, newDelivery, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { Layout } from "../../outbox/layout.ts";
import { readLists } from "../../outbox/shared/lists.ts";
import { listSessions, readSession, type SessionRecord } from "../../outbox/sessions.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { turnOf, watchedSubagents } from "../../sessions/state.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { currentSessions } from "../../outbox/current-sessions.ts";

/** Reading all records for every event would take too long. */
const known = (): { open?: Map<string, SessionRecord> } => ({});

const keyOf = ({ agent, session }: Pick<SessionRecord, "agent" | "session">): string => `${agent}\n${session}`;

/** Sessions with an open turn or question, by agent and session. */
export function openIn(layout: Layout): Map<string, SessionRecord> {
  return (layout.memory(known).open ??= new Map(
    listSessions(layout)
      .filter(isOpen)
      .map((session) => [keyOf(session), session]),
  ));
}

/** Whether another session than this event's has an open turn. */
export function hasOthersAtWork(layout: Layout, { agent, session }: Pick<AgentEvent, "agent" | "session">): boolean {
  const own = keyOf({ agent, session });
  return [...openIn(layout)].some(([key, record]) => key !== own && turnOf(record) !== undefined);
}

/** Sessions with an open question. */
function askingIn(layout: Layout): SessionRecord[] {
  return [...openIn(layout).values()].filter(hasQuestion);
}

/** Call it with each record that changes. */
export function noteSession(layout: Layout, session: SessionRecord): void {
  const { open } = layout.memory(known);
  if (isOpen(session)) open?.set(keyOf(session), session);
  else open?.delete(keyOf(session));
}

function isOpen(session: SessionRecord): boolean {
  return turnOf(session) !== undefined || hasQuestion(session) || watchedSubagents(session).length > 0;
}

function hasQuestion({ open = [] }: SessionRecord): boolean {
  return open.some(wasQuestion);
}

/** Oldest first; only sessions whose question this channel is told of, and whose process is not gone. */
function waitingOn({ layout, tools }: Dispatcher, channel: string): WaitingSession[] {
  const now = tools.clock.now();
  return waitingSessions(currentSessions(layout, now, askingIn(layout)), now, channel, listSessions(layout, now));
}

/** The session in the channel's list that asked last: its question rang last. */
export function newestWaiting(dispatcher: Dispatcher, channel: string): WaitingSession | undefined {
  return waitingOn(dispatcher, channel).at(-1);
}

/** A question as a list of all sessions that wait, where the channel shows one; `key` names its questions. */
export function asList(
  dispatcher: Dispatcher,
  channel: Channel,
  delivery: DeliveryOf<"event">,
): { delivery: DeliveryOf<"list">; key: string } | undefined {
  const { payload: _, escalatesAfterMs: __, ...common } = delivery;
  const { event, joins, message } = common;
  const shows = channel.channelType.showsList?.(channel.settings as never);
  if (!isQuestion(event) || !(shows === "always" || (shows === "joined" && joins !== undefined))) return undefined;
  const waiting = waitingOn(dispatcher, channel.name);
  if (waiting.length < 2) return undefined;
  const words = wordsFor(dispatcher, channel, waiting);
  return {
    delivery: {
      ...common,
      kind: "list",
      message: { ...message, ...words, fields: [] },
      event: { ...event, ...ofAllSessions },
    },
    key: waiting.map(({ question }) => question.id).join(" "),
  };
}

/** The same words for those that were held together. Undefined where fewer than two of them wait. */
export function listOf(
  dispatcher: Dispatcher,
  channel: Channel,
  deliveries: readonly Delivery[],
): { title: string; body: string } | undefined {
  const meant = new Set(deliveries.map(({ event }) => keyOf(event)));
  const waiting = waitingOn(dispatcher, channel.name).filter((each) => meant.has(keyOf(each)));
  return waiting.length < 2 ? undefined : wordsFor(dispatcher, channel, waiting);
}

function wordsFor(
  { tools }: Dispatcher,
  { content }: Channel,
  waiting: readonly WaitingSession[],
): { title: string; body: string } {
  const told = waiting.map(({ names, question, ...each }) => ({
    ...each,
    names: content === "none" ? { ...names, sessionWords: undefined } : names,
    question: { ...question, words: limitRequest(question.words, content) },
  }));
  return waitingMessage(told, tools.clock.now(), agentName);
}

type Places = Readonly<Record<string, string>>;

/** What a list takes the place of, and an older list that it makes out of date. */
export interface ListReferences {
  replaces: Places | undefined;
  outdated: Places | undefined;
}

/** Where a message can be taken back, the list stays where it is. Elsewhere it takes the place of the message that has just rung. */
export function listReferences(
  { layout }: Pick<Dispatcher, "layout">,
  { name, channelType }: Channel,
  joins: Delivery["joins"],
): ListReferences {
  const own = readLists(layout).get(name)?.reference;
  const rang = joins && readSession(layout, joins.agent, joins.session).remembered[name];
  if (channelType.retract !== undefined) return { replaces: own ?? rang, outdated: undefined };
  return { replaces: rang ?? own, outdated: rang === undefined ? undefined : own };
}

/** Several questions that wait for one channel are in the first list that is sent. */
export function isListShown(layout: Layout, channel: string, key: string): boolean {
  return readLists(layout).get(channel)?.key === key;
}

/** Whether every session of the channel's list was answered meanwhile. */
export function isListEmpty(dispatcher: Dispatcher, channel: string): boolean {
  return waitingOn(dispatcher, channel).length === 0;
}

/** The sessions whose own notifications a list replaces, each as an event. */
export function replacedByList({ layout }: Pick<Dispatcher, "layout">, event: AgentEvent): AgentEvent[] {
  return askingIn(layout).map(({ agent, session }) => ({ ...event, agent, session }));
}

/** Stands in place of a rule's name. */
const ownListRule = "hookbell's own list";

/** The shorter lists after an answer, and the channels whose list is empty now; `session` is the record after it. */
export function shortened(
  dispatcher: Dispatcher,
  event: AgentEvent,
  session: SessionRecord,
  position: string,
): { empty: string[]; deliveries: DeliveryFile[] } {
  const { layout, rules, tools } = dispatcher;
  const now = tools.clock.now();
  const empty: string[] = [];
  const lists = [...readLists(layout)].flatMap(([name, { reference }]) => {
    const isIn = waitingOn(dispatcher, name).some((each) => keyOf(each) === keyOf(session));
    return reference !== undefined && isIn ? [name] : [];
  });
  noteSession(layout, session);
  const deliveries = lists.flatMap((name, order) => {
    const channel = findChannel(rules().rules, name);
    if (channel === undefined) return [];
    const waiting = waitingOn(dispatcher, name);
    if (waiting.length === 0) empty.push(name);
    if (waiting.length === 0) return [];
    const delivery = newDelivery(now, {
      kind: "list",
      id: deliveryIdOf(`${event.id} waiting`, name),
      channel: name,
      rule: ownListRule,
      event: { ...event, ...ofAllSessions, message: undefined, level: "info" },
      message: { ...wordsFor(dispatcher, channel, waiting), level: "info", fields: [] },
      expiresAt: now + channel.expiresAfterMs,
    });
    return [{ file: deliveryFileName(position, 900 + order, delivery.id), delivery }];
  });
  return { empty, deliveries };
}
