// Takes an answer: checks the sender and the nonce, and makes it the question's answer unless there is one already.
import type { Answer, Button, Choice, Heard } from "../../channels/channel-type.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { cut, printable, printableLine } from "../../model/text.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { isSameDigest, randomNonce, sha256 } from "../../system/crypto.ts";
import { createAnswer, listQuestions, readAnswer, writeQuestion, type Question } from "./questions.ts";
import { sendersOf } from "./senders.ts";

/** Where an answer comes from. */
export interface AnsweringChannel {
  name: string;
  type: string;
  /** Whether the service names the person who answers, who must be paired then. */
  namesSender: boolean;
}

/** Answers end before the hook does, so that no answer comes into its last moment. */
const lastMomentMs = 1000;
const maxMessage = 2000;
const maxName = 60;

const choiceLabels: Readonly<Record<Choice, string>> = {
  allow: "Allow",
  allowForSession: "Allow for this session",
  deny: "Deny",
};

/** Buttons for one channel. Each gets a new nonce, of which only the hash is stored. */
export function makeButtons(
  layout: Pick<Layout, "root">,
  question: Question,
  channel: string,
  isShownWhole: boolean,
): Button[] {
  const offered = choicesOf(question).filter((choice) => choice === "deny" || isShownWhole);
  const buttons = offered.map((choice) => ({ choice, label: choiceLabels[choice], nonce: randomNonce() }));
  const nonces = buttons.map(({ choice, nonce }) => ({ hash: sha256(nonce), choice, channel }));
  writeQuestion(layout, { ...question, nonces: [...question.nonces, ...nonces] });
  return buttons;
}

/** What the user's list lets an answer be. */
export function choicesOf({ isAllowable, forSession }: Question): Choice[] {
  if (!isAllowable) return ["deny"];
  return forSession === undefined ? ["allow", "deny"] : ["allow", "allowForSession", "deny"];
}

/** Takes what a channel heard; resolves to what to tell the person, undefined where a stranger is told nothing. */
export function hear(
  layout: Layout,
  channels: readonly AnsweringChannel[],
  heard: Heard,
  nowMs: number,
): string | undefined {
  // Any other message to the bot.
  if (heard.nonce === undefined && Object.keys(heard.reply?.to ?? {}).length === 0) return undefined;
  const by = heard.sender;
  const mayAnswer = ({ name, type, namesSender }: AnsweringChannel): boolean =>
    !namesSender || sendersOf(layout, name, type).some(({ id }) => id === by?.id);
  const open = channels.filter(mayAnswer);
  if (open.length === 0) {
    const who = by === undefined ? "an unnamed account" : `${nameOf(by.name)} (${nameOf(by.id)})`;
    const [channel] = channels;
    writeJournal(layout, nowMs, {
      kind: "answer",
      what: "refused",
      channel: channel?.name,
      by: who,
      why: "not paired",
    });
    return heard.nonce === undefined ? undefined : "This account may not answer.";
  }
  const names = open.map(({ name }) => name);
  const found =
    heard.nonce === undefined ? findByReply(layout, names, heard.reply) : findByNonce(layout, names, heard.nonce);
  if (found === undefined) return "Too late: this question is over.";
  const { question, choice, channel } = found;
  const message = printable(heard.reply?.text ?? "").trim();
  if (heard.nonce === undefined && isYes.test(message)) return "To allow it, press a button. Any other text denies it.";
  const words = message === "" ? {} : { message: cut(message, maxMessage) };
  const who = by === undefined ? "you" : nameOf(by.name);
  return give(layout, question, { choice, ...words, by: who, channel, at: nowMs }).text;
}

/** A "yes" in words is no press of a button: what it would allow is not certain. */
const isYes = /^(?:y|yes|ok|okay|allow|approve|go|sure|👍)[.! ]*$/iu;

export interface Given {
  isTaken: boolean;
  /** For the person. */
  text: string;
}

/** The first answer counts. `hookbell answer` gives its own. */
export function give(layout: Layout, question: Question, answer: Answer): Given {
  const { id, askedAt, expiresAt, digest } = question;
  if (answer.choice !== "none" && !choicesOf(question).includes(answer.choice)) {
    return { isTaken: false, text: 'Not allowed here: "answers.allow" does not list it.' };
  }
  if (answer.choice !== "none" && answer.at >= expiresAt - lastMomentMs) {
    return { isTaken: false, text: "Too late: this question is over." };
  }
  if (!createAnswer(layout, id, answer)) {
    return { isTaken: false, text: `Too late: ${describeEnd(question, readAnswer(layout, id))}.` };
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
    tool: question.tool,
  });
  return { isTaken: true, text: capital(`${describeEnd(question, answer)}.`) };
}

/** Such as "denied by Ann in telegram after 41 s". */
export function describeEnd({ askedAt }: Pick<Question, "askedAt">, answer: Answer | undefined): string {
  if (answer === undefined) return "this question is over";
  const after = `after ${formatDuration(Math.max(0, answer.at - askedAt))}`;
  if (answer.choice === "none") return `${answer.by} ${after}`;
  const verb = { allow: "allowed", allowForSession: "allowed for this session", deny: "denied" }[answer.choice];
  return `${verb} by ${answer.by}${answer.channel === undefined ? "" : ` in ${answer.channel}`} ${after}`;
}

interface Found {
  question: Question;
  choice: Choice;
  channel: string;
}

function findByNonce(layout: Layout, channels: readonly string[], nonce: string): Found | undefined {
  const hash = sha256(nonce);
  for (const question of listQuestions(layout)) {
    for (const { hash: stored, choice, channel } of question.nonces) {
      if (isSameDigest(stored, hash) && channels.includes(channel)) return { question, choice, channel };
    }
  }
  return undefined;
}

/** A text in reply to a question denies it. */
function findByReply(layout: Layout, channels: readonly string[], reply: Heard["reply"]): Found | undefined {
  for (const question of listQuestions(layout)) {
    for (const { channel, place } of question.shown) {
      const isThis = reply !== undefined && Object.entries(place).every(([key, value]) => reply.to[key] === value);
      if (isThis && channels.includes(channel)) return { question, choice: "deny", channel };
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
