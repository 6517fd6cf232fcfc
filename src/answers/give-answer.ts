// Takes an answer: checks the sender and the nonce, and makes it the question's answer unless there is one already.
import { lastPart } from "../model/places/folder.ts";
import { type Answer, type Button, type Choice, type ReceivedReply, verbs } from "../model/answer.ts";
import { formatDuration } from "../model/figures/duration.ts";
import { cut, printable, printableLine } from "../model/text.ts";
import { writeJournal } from "../outbox/journal.ts";
import type { Layout } from "../outbox/layout.ts";
import { isSameDigest, randomNonce, sha256 } from "../system/crypto.ts";
import { visible } from "./card/card.ts";
import { createAnswer, endsAt, listQuestions, readAnswer, writeQuestion, type Question } from "./questions.ts";
import { endedSince, whyHookIsNotOurs } from "./own-hook.ts";
import { readReply } from "./read-reply.ts";
import { sendersOf } from "./senders.ts";
import { findSnooze, snooze } from "./snooze.ts";

/** Where an answer comes from. */
export interface AnsweringChannel {
  name: string;
  type: string;
  /** Whether the service names the person who answers, who must be paired then. */
  namesSender: boolean;
  /** Whether an answer to this question may come from there. */
  hears(question: Question): boolean;
}

/** Answers end before the hook does, so that no answer comes into its last moment. */
const lastMomentMs = 1000;
const maxMessage = 4000;
const maxLabel = 60;
const maxName = 60;

const choiceLabels = { allow: "Allow", allowForSession: "Allow for this session", deny: "Deny" } as const;

/** Buttons for one channel. Each gets a new nonce, of which only the hash is stored. */
export function makeButtons(
  layout: Pick<Layout, "root">,
  question: Question,
  channel: string,
  isShownWhole: boolean,
  maxButtons = usualButtons,
): Button[] {
  const isAllowed = ({ choice }: Offer): boolean => choice === "deny" || isShownWhole;
  const offered = offersOf(question, maxButtons)
    .filter(isAllowed)
    .map((offer) => ({ ...offer, nonce: randomNonce() }));
  const nonces = offered.map(({ choice, message, nonce }) => ({ hash: sha256(nonce), choice, message, channel }));
  writeQuestion(layout, { ...question, nonces: [...question.nonces, ...nonces] });
  return offered.map(({ choice, label, nonce }) => ({ choice, label, nonce }));
}

export const usualButtons = 3;

export type Offer = Pick<Button, "choice" | "label"> & { message?: string };

export function offersOf(question: Question, maxButtons: number): Offer[] {
  const offers = choicesOf(question).flatMap((choice): Offer[] => {
    if (choice === "reply") return hasOptionButtons(question, maxButtons) ? question.fields.flatMap(optionOffers) : [];
    const label = question.kind === "form" ? "Decline" : choiceLabels[choice];
    return [{ choice, label }];
  });
  return offers;
}

function optionOffers({ options }: Question["fields"][number]): Offer[] {
  return options.map(({ label }) => ({ choice: "reply", label: cut(visible(label), maxLabel), message: label }));
}

/** Only a question with a single field can be answered by a button; a person answers the others by a reply. */
export function hasOptionButtons({ kind, fields }: Question, maxButtons: number): boolean {
  const [field] = fields;
  const count = (field?.options.length ?? 0) + (kind === "form" ? 1 : 0);
  return fields.length === 1 && field?.isMany === false && field.options.length > 0 && count <= maxButtons;
}

/** What the user's list lets an answer be. No one can allow a call of which a part is masked or left out. */
export function choicesOf({ kind, isAllowable, isWhole, forSession }: Question): Choice[] {
  if (kind !== "permission") return kind === "form" ? ["reply", "deny"] : ["reply"];
  if (!isAllowable || !isWhole) return ["deny"];
  return forSession === undefined ? ["allow", "deny"] : ["allow", "allowForSession", "deny"];
}

/** Undefined for a question that can be allowed, or that asks for no permission. */
export function whyNotAllowable(question: Question): string | undefined {
  if (question.kind !== "permission" || choicesOf(question).includes("allow")) return undefined;
  if (question.isAllowable) return "a part of it is masked or left out";
  return question.isOdd === true ? "a part of it is not as its agent writes it" : '"answers.allow" does not list it';
}

export function whyOnlyDenied(question: Question): string | undefined {
  const why = whyNotAllowable(question);
  return why === undefined ? undefined : `${why}, so it can only be denied`;
}

/** `text` is shown to the person who answered. */
export interface Given {
  what: "answered" | "refused" | "muted";
  text: string;
}

/** The bot ignores other messages, and no one is told what strangers write in a room. */
export type ReplyResult = Given | { what: "ignored" };

const ignored = { what: "ignored" } as const;

/** Takes what a person did at one of `channels`, which share a service's account. */
export function receiveReply(
  layout: Layout,
  channels: readonly AnsweringChannel[],
  received: ReceivedReply,
  nowMs: number,
): ReplyResult {
  const { nonce, reply, sender } = received;
  if (nonce === undefined && Object.keys((received.pressed ?? reply)?.to ?? {}).length === 0) return ignored;
  const isPaired = ({ name, type, namesSender }: AnsweringChannel): boolean =>
    !namesSender || sendersOf(layout, name, type).some(({ id }) => id === sender?.id);
  const open = channels.filter(isPaired);
  if (open.length === 0) return refuseStranger(layout, channels, received, nowMs);
  // Services may name only an id.
  const paired = open.flatMap(({ name, type }) => sendersOf(layout, name, type)).find(({ id }) => id === sender?.id);
  const by = sender === undefined ? "you" : nameOf((paired ?? sender).name);
  // Only a paired account may mute, so never through a service that names no one.
  const isOfPaired = (name: string, question: Question): boolean => paired !== undefined && hears(open, name, question);
  const pressed = nonce === undefined ? undefined : findSnooze(layout, nonce, isOfPaired);
  if (pressed !== undefined) {
    const { isMuted, text } = snooze(layout, pressed, by, nowMs);
    return { what: isMuted ? "muted" : "refused", text };
  }
  const found = findQuestion(layout, open, received);
  if (found === undefined) {
    if (nonce !== undefined) {
      const body = "no open question here matches it; if two computers share the service's account, give each its own";
      writeJournal(layout, nowMs, { kind: "notice", channel: open[0]?.name, title: "an answer was not taken", body });
    }
    return refused("Too late, or meant for another computer: no such question is open here.");
  }
  const { question, choice, channel } = found;
  if (found.isOffered === false) return refused("Not accepted: this message does not offer that.");
  const message = found.message ?? printable(reply?.text ?? "").trim();
  if (nonce === undefined && question.kind === "permission" && isYes.test(message)) {
    return refused("To allow it, press a button. Any other text denies it.");
  }
  const words = message === "" ? {} : { message: cut(message, maxMessage) };
  return give(layout, question, { choice, ...words, by, channel, at: nowMs });
}

/** People may talk in a room, so only what is about a question is recorded, and only a press gets an answer. */
function refuseStranger(
  layout: Layout,
  channels: readonly AnsweringChannel[],
  received: ReceivedReply,
  nowMs: number,
): ReplyResult {
  const { nonce, sender } = received;
  if (nonce === undefined && findQuestion(layout, channels, received) === undefined) return ignored;
  const by = sender === undefined ? "an unnamed account" : `${nameOf(sender.name)} (${nameOf(sender.id)})`;
  const why = "not paired";
  writeJournal(layout, nowMs, { kind: "answer", what: "refused", channel: channels[0]?.name, by, why });
  return nonce === undefined ? ignored : refused("This account may not answer.");
}

function refused(text: string): Given {
  return { what: "refused", text };
}

/** A "yes" in words is no press of a button: what it would allow is not certain. */
const isYes = /^(?:y|yes|ok|okay|allow|approve|go|sure|👍)[.! ]*$/iu;

/** The first answer counts. `hookbell answer` gives its own. */
export function give(layout: Layout, question: Question, answer: Answer): Given {
  const { id, askedAt, digest } = question;
  if (answer.choice !== "none" && !choicesOf(question).includes(answer.choice)) {
    return refused(whyNotAllowed(question));
  }
  const reading = answer.choice === "reply" ? readReply(question.fields, answer.message ?? "") : undefined;
  if (reading !== undefined && "problem" in reading) return refused(`Not accepted: ${reading.problem}.`);
  if (answer.choice !== "none" && answer.at >= endsAt(question) - lastMomentMs) {
    return refused("Too late: this question is over.");
  }
  const notOurs = answer.choice === "none" ? undefined : whyHookIsNotOurs(layout, question, answer.at);
  if (notOurs !== undefined && readAnswer(layout, id) === undefined) {
    give(layout, question, { choice: "none", by: endedSince(notOurs), isUnanswered: true, at: answer.at });
    return refused(`Not taken: ${notOurs}; answer at the agent's terminal.`);
  }
  if (!createAnswer(layout, id, answer)) {
    return refused(`Too late: ${describeEnd(question, readAnswer(layout, id))}.`);
  }
  const afterMs = answer.at - askedAt;
  writeJournal(layout, answer.at, {
    kind: "answer",
    what: answer.choice,
    question: id,
    channel: answer.channel,
    by: answer.by,
    afterMs,
    digest,
    agent: question.agent,
    session: question.session,
    project: lastPart(question.cwd),
    tool: question.tool,
  });
  return { what: "answered", text: capital(`${describeEnd(question, answer)}.`) };
}

function whyNotAllowed(question: Question): string {
  const why = whyNotAllowable(question);
  return why === undefined
    ? '"For this session" is not offered for this question; it can be allowed once.'
    : `Not allowed here: ${why}; answer at the agent's terminal.`;
}

/** How the question ended, such as "denied by Ann in telegram after 41 s". */
export function describeEnd({ askedAt }: Pick<Question, "askedAt">, answer: Answer | undefined): string {
  if (answer === undefined) return "this question is over";
  const after = `after ${formatDuration(Math.max(0, answer.at - askedAt))}`;
  if (answer.choice === "none") {
    return `${answer.by} ${after}${answer.isUnanswered === true ? "; answer at the terminal" : ""}`;
  }
  const verb = verbs[answer.choice];
  return `${verb} by ${answer.by}${answer.channel === undefined ? "" : ` in ${answer.channel}`} ${after}`;
}

interface Found {
  question: Question;
  choice: Choice;
  message?: string | undefined;
  channel: string;
  isOffered?: boolean;
}

function findQuestion(
  layout: Layout,
  channels: readonly AnsweringChannel[],
  received: ReceivedReply,
): Found | undefined {
  return received.nonce === undefined
    ? findByPlace(layout, channels, received)
    : findByNonce(layout, channels, received.nonce);
}

function hears(channels: readonly AnsweringChannel[], name: string, question: Question): boolean {
  return channels.some((channel) => channel.name === name && channel.hears(question));
}

function findByNonce(layout: Layout, channels: readonly AnsweringChannel[], nonce: string): Found | undefined {
  const hash = sha256(nonce);
  for (const question of listQuestions(layout)) {
    for (const { hash: stored, choice, message, channel } of question.nonces) {
      if (!isSameDigest(stored, hash) || !hears(channels, channel, question)) continue;
      return { question, choice, message, channel };
    }
  }
  return undefined;
}

/** What a text means if it is no button's; it never allows a permission. */
export function choiceOfWords({ kind }: Question, text: string): Choice {
  if (kind === "permission") return "deny";
  return kind === "form" && /^\s*decline\s*$/i.test(text) ? "deny" : "reply";
}

/**
 * Finds the question by the message that shows it. A press names one of the buttons that the message had; the paired
 * sender proves that it is real.
 */
function findByPlace(
  layout: Layout,
  channels: readonly AnsweringChannel[],
  { pressed, reply }: ReceivedReply,
): Found | undefined {
  const to = (pressed ?? reply)?.to ?? {};
  for (const question of listQuestions(layout)) {
    for (const { channel, place } of question.shown) {
      const parts = Object.entries(place);
      const isThis = parts.length > 0 && parts.every(([key, value]) => to[key] === value);
      if (!isThis || !hears(channels, channel, question)) continue;
      if (pressed === undefined) return { question, choice: choiceOfWords(question, reply?.text ?? ""), channel };
      const isOffered = question.nonces.some((each) => each.channel === channel && each.choice === pressed.choice);
      return { question, choice: pressed.choice, channel, isOffered };
    }
  }
  return undefined;
}

function nameOf(text: string): string {
  return cut(printableLine(text), maxName);
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
