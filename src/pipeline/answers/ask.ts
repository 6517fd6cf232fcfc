// Turns the deliveries of an open question into messages with buttons, for channels that can carry an answer.
import { agentName } from "../../agents/index.ts";
import { cardOf } from "../../answers/card/card.ts";
import {
  type AnsweringChannel,
  describeEnd,
  give,
  hasOptionButtons,
  receiveReply,
  makeButtons,
  offersOf,
  usualButtons,
  whyNotAllowable,
} from "../../answers/give-answer.ts";
import { endedSince, whyHookIsNotOurs } from "../../answers/own-hook.ts";
import { listQuestions, readAnswer, readQuestion, writeQuestion, type Question } from "../../answers/questions.ts";
import { howToReply } from "../../answers/read-reply.ts";
import { sendersOf } from "../../answers/senders.ts";
import { newSnooze } from "../../answers/snooze.ts";
import type { ShownQuestion, ReceivedReply } from "../../model/answer.ts";
import { howItEnded } from "../../policies/answered.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Message } from "../../model/message.ts";
import type { Layout } from "../../outbox/layout.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { readSession } from "../../outbox/sessions.ts";
import type { Channel } from "../../rules/rules.ts";
import { withinBranchOf } from "../../sessions/names.ts";
import { asksStill, type Session } from "../../sessions/state.ts";
import type { Dispatcher, QuestionsAndClicks } from "../dispatcher.ts";
import { whyElsewhere } from "./route.ts";

export function noteNotAsked(
  { layout, tools }: Pick<Dispatcher, "layout" | "tools">,
  { agent, tool }: Question,
  event: string,
  { channel, why }: { channel: string; why: string },
): void {
  const entry = { what: "not asked there", event, channel, agent, tool, why };
  writeJournal(layout, tools.clock.now(), { kind: "answer", ...entry });
}

/**
 * The question of a delivery, with a new nonce for each button; how it was answered meanwhile; or why it may not be. Undefined for an
 * ordinary message: one that asks nothing, or whose hook has stopped waiting. `open` says how long an escalated one is open.
 */
export function askedBy(
  dispatcher: Dispatcher,
  { untilOver }: Pick<QuestionsAndClicks, "untilOver">,
  delivery: Delivery,
  channel: Channel,
  open?: string,
): { asked: ShownQuestion; message: Message } | { answered: string } | { noButtons: string } | undefined {
  if (delivery.kind !== "question") return undefined;
  const { question: id, event } = delivery;
  const { layout, tools } = dispatcher;
  const question = readQuestion(layout, id);
  const answer = readAnswer(layout, id);
  if (question === undefined) {
    const { closed = [] } = readSession(layout, event.agent, event.session);
    return closed.some((each) => each.id === event.id) ? { answered: "the session went on" } : undefined;
  }
  if (answer !== undefined && answer.isUnanswered !== true) return { answered: describeEnd(question, answer) };
  const notOurs = whyHookIsNotOurs(layout, question, tools.clock.now());
  if (notOurs !== undefined) {
    noteNotAsked(dispatcher, question, event.id, { channel: channel.name, why: notOurs });
    give(layout, question, { choice: "none", by: endedSince(notOurs), isUnanswered: true, at: tools.clock.now() });
    return { noButtons: notOurs };
  }
  if (answer !== undefined) return undefined;
  // The channel may reach someone else from here.
  const why = whyElsewhere(dispatcher, question, channel);
  if (why !== undefined) {
    noteNotAsked(dispatcher, question, event.id, { channel: channel.name, why });
    return undefined;
  }
  const { message, isWhole } = cardFor(question, delivery, channel, open);
  const answering = [answeringChannel(dispatcher, channel)];
  const snooze = hasPlaceForSnooze(layout, question, channel)
    ? newSnooze(question, { channel: channel.name, project: event.project })
    : undefined;
  const snoozes = snooze && [...(question.snoozes ?? []), snooze.stored];
  const written = snoozes === undefined ? question : { ...question, snoozes };
  const asked = {
    buttons: makeButtons(layout, written, channel.name, isWhole, buttonsOf(channel)),
    snooze: snooze?.button,
    onReply: (received: ReceivedReply) => void receiveReply(layout, answering, received, tools.clock.now()),
    over: untilOver(id),
  };
  return { asked, message };
}

/** What the channel shows in place of the message, or why it cannot carry the answer. */
export function cardInstead(
  question: Question,
  delivery: Delivery,
  channel: Channel,
): { card: Message } | { why: string } {
  const why = whyNotCarried(question, delivery, channel);
  return why === undefined ? { card: cardFor(question, delivery, channel).message } : { why };
}

/** It takes no place of a button that answers, also of one that this message happens not to show. */
function hasPlaceForSnooze(layout: Layout, question: Question, channel: Channel): boolean {
  const { name, type, channelType } = channel;
  if (channelType.answers?.showsSnooze !== true || sendersOf(layout, name, type).length === 0) return false;
  return offersOf(question, buttonsOf(channel)).length < buttonsOf(channel);
}

function buttonsOf({ channelType }: Channel): number {
  return channelType.answers?.maxButtons ?? usualButtons;
}

/** An answer in words needs a channel that takes words, or a button for each option. */
function whyNotCarried(question: Question, delivery: Delivery, channel: Channel): string | undefined {
  if (!channel.answers) return '"answers" is not true there';
  if (question.kind === "permission") return undefined;
  if (channel.channelType.answers?.takesReplies !== true) {
    const hasButtons = question.kind !== "prompt" && hasOptionButtons(question, buttonsOf(channel));
    if (!hasButtons) return "it is answered by a reply, which this channel does not take";
  } else if (question.kind === "prompt") return undefined;
  return cardFor(question, delivery, channel).isWhole ? undefined : "this channel cannot show all of it";
}

/** The question as the channel shows it. Only the channel knows whether it shows all of it. */
function cardFor(
  question: Question,
  { message: { title, project }, event }: Pick<Delivery, "message" | "event">,
  channel: Channel,
  open?: string,
): { message: Message; isWhole: boolean } {
  const bare = cardOf(question, agentName(question.agent), title, withinBranchOf(event));
  const notes = open === undefined ? [] : [{ label: "note", value: open }];
  const card = { ...bare, ...(project === undefined ? {} : { project }), fields: [...notes, ...bare.fields] };
  const message = { ...card, fields: [...card.fields, ...hintFor(question, channel)] };
  if (question.isWhole && channel.channelType.answers?.render(message).isWhole === true) {
    return { message, isWhole: true };
  }
  const isOnlyCut = question.kind === "permission" && whyNotAllowable(question) === undefined;
  const hint = toAllowIt("this does not show all of it");
  return { message: isOnlyCut ? { ...message, fields: [...message.fields, hint] } : message, isWhole: false };
}

function toAllowIt(why: string): Message["fields"][number] {
  return { label: "to allow it", value: `answer at the terminal: ${why}` };
}

function hintFor(question: Question, channel: Channel): Message["fields"] {
  const { kind, fields } = question;
  const why = whyNotAllowable(question);
  if (why !== undefined) return [toAllowIt(why)];
  if (kind === "permission" || channel.channelType.answers?.takesReplies !== true) return [];
  if (kind === "prompt") return [{ label: "to go on", value: "reply with the next prompt" }];
  if (!hasOptionButtons(question, buttonsOf(channel))) return [{ label: "to answer", value: howToReply(fields) }];
  return fields[0]?.takesOther === true ? [{ label: "another answer", value: "reply in your own words" }] : [];
}

/** The session goes on or has ended, so that whatever is not open any more is over. */
export function endQuestions(
  { layout }: Pick<Dispatcher, "layout">,
  position: string,
  { agent, session, at }: AgentEvent,
  { open = [], state }: Pick<Session, "open" | "state">,
): void {
  const now = Date.parse(at);
  const still = new Set(open.filter(asksStill).map((each) => each.position));
  for (const question of listQuestions(layout)) {
    if (question.agent !== agent || question.session !== session || question.askedAt >= now) continue;
    // An event does not answer its own question.
    if (question.id === position || still.has(question.id)) continue;
    give(layout, question, { choice: "none", by: howItEnded({ state }), at: now });
  }
}

/** Notes that the channel shows the question: an answer can come from there now. */
export function noteShown(layout: Layout, id: string, shown: Question["shown"][number]): void {
  const question = readQuestion(layout, id);
  if (question === undefined) return;
  writeQuestion(layout, { ...question, shown: [...question.shown, shown] });
}

export function answeringChannel(dispatcher: Dispatcher, channel: Channel): AnsweringChannel {
  const { name, type, channelType } = channel;
  return {
    name,
    type,
    namesSender: channelType.answers?.namesSender ?? true,
    hears: (question) => whyElsewhere(dispatcher, question, channel) === undefined,
  };
}

/** How the question ended, as the message in its place says it. */
export function endedCard(
  question: Question,
  { title = "", project }: Pick<Question["shown"][number], "title" | "project">,
  end: string,
): Message {
  // A rule's own title may be long, and a phone shows its beginning.
  const said = project === undefined ? `${end}: ${title.replace(/\?$/, "")}` : `${project}: ${end}`;
  return { ...cardOf(question, agentName(question.agent), said), level: "info" };
}
