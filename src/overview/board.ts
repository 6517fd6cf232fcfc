// What a board shows: every session in its group, what it asks, and who was told of it. Pure; the terminal and the page show the same.
import { agentName } from "../agents/index.ts";
import { cardOf, titleOf } from "../answers/card/card.ts";
import { choicesOf, describeEnd, whyOnlyDenied } from "../answers/give-answer.ts";
import { questionIdOf, type Question } from "../answers/questions.ts";
import { howToReply } from "../answers/read-reply.ts";
import { muteOf, type Mute } from "../policies/mute.ts";
import { ageOf } from "../sessions/waiting.ts";
import type { Answer, Choice } from "../model/answer.ts";
import { docsUrl } from "../model/errors.ts";
import type { Message } from "../model/message.ts";
import type { SessionRecord } from "../outbox/sessions.ts";
import { isLive, isOfAgent, wordsOf } from "../sessions/describe.ts";
import { namesOf, placeOf, shownName } from "../sessions/names.ts";
import { questionsOf, turnOf, type OpenEvent, type StateKind } from "../sessions/state.ts";
import type { EventNotifications } from "./notifications.ts";

/** The order is the one in which a person looks at them. */
export const groupTitles = {
  needsYou: "needs you",
  failed: "failed",
  waitsForLimit: "at a limit",
  working: "working",
  waitsForSubagents: "subagents run",
  unread: "done, not seen yet",
  quiet: "done or idle",
  ended: "ended",
} as const;
export type Group = keyof typeof groupTitles;

/** A session's question. Its text is untrusted. */
export interface BoardQuestion {
  /** The event's id. */
  event: string;
  at: number;
  /** The whole question, without credentials; undefined if the agent does not say what it asks. */
  words: string | undefined;
  telling: EventNotifications | undefined;
  /** Present while a hook waits for the answer; without it, only the agent's own terminal takes one. */
  open?: OpenQuestion;
  /** Why no key answers it, where that is known and it is not over. */
  whyClosed?: string;
  /** How it was answered, such as "allowed by Ann in phone after 41s"; the agent has not gone on yet. */
  ended?: string;
}

export interface OpenQuestion {
  question: Question;
  /** The id that `hookbell answer` takes. */
  shortId: string;
  choices: readonly Choice[];
  /** What a person must have read before they allow it: the call, and the tool, folder, host and branch. */
  card: Message;
  /** Why it cannot be allowed, or how to write a reply. */
  note: string | undefined;
}

export interface BoardRow {
  /** The session as it is now. */
  record: SessionRecord;
  group: Group;
  /** The name that people read. */
  agentName: string;
  /** The other machine where it runs, the project, and what tells the session from others there; empty for none of them. */
  place: string;
  /** Undefined if the session is alone in its project. */
  name: string | undefined;
  /** What it asks, runs or works on, or what its agent said last; undefined where the reason of its state says all. */
  words: string | undefined;
  /** When the running tool call that `words` names began. */
  toolSince: number | undefined;
  /** Oldest first; empty unless something waits for the person. */
  questions: readonly BoardQuestion[];
  /** Who was told of the end of its turn, where it has ended. */
  telling: EventNotifications | undefined;
  /** How many run. */
  subagents: number;
  mute: Mute | undefined;
}

/** The facts that are read for a board at one moment. */
export interface BoardFacts {
  /** All that are known, as they are now. */
  sessions: readonly SessionRecord[];
  /** Questions without an answer still wait. */
  questions: readonly { question: Question; answer: Answer | undefined }[];
  mutes: readonly Mute[];
  /** Whether the rules file enables answers; undefined if it was not read. */
  takesAnswers?: boolean | undefined;
  tellingOf: (event: string) => EventNotifications | undefined;
}

const order = Object.keys(groupTitles);
/** Sessions that ended before are no longer shown. */
const endedForMs = 2 * 60 * 60_000;

type IsWanted = (session: SessionRecord, nowMs: number) => boolean;

/** The rows come group by group; the longest wait comes first, and of what has ended the newest. */
export function boardRows(facts: BoardFacts, nowMs: number, isWanted: IsWanted = isShown): BoardRow[] {
  const rows = facts.sessions
    .filter((each) => isOfAgent(each) && isWanted(each, nowMs))
    .map((each) => rowOf(each, facts, nowMs));
  return rows.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group) || bySince(a, b));
}

function isShown(session: SessionRecord, nowMs: number): boolean {
  const { state, helperOf } = session;
  const hasEnded = state.kind === "gone" && helperOf === undefined && nowMs - state.since < endedForMs;
  return isLive(session, nowMs) || hasEnded;
}

function bySince(one: BoardRow, other: BoardRow): number {
  const [a, b] = [one.record.state.since, other.record.state.since];
  if (order.indexOf(one.group) >= order.indexOf("unread")) return b - a;
  return effortOf(one) - effortOf(other) || a - b;
}

/** What one key answers comes first. What has just been answered waits for its agent, no longer for the person. */
function effortOf({ questions }: BoardRow): number {
  if (questions.length === 0 || questions.some(({ open }) => open !== undefined)) return 0;
  return questions.some(({ ended }) => ended === undefined) ? 1 : 2;
}

/** One line says how its question was answered or what it asks, else what it does and for how long, else why it is in its state. */
export function describeRow({ questions: [question], words, toolSince, record }: BoardRow, nowMs: number): string {
  const said = question?.ended ?? question?.words ?? words ?? record.state.reason;
  return toolSince === undefined ? said : `${said}, ${ageOf(nowMs - toolSince)}`;
}

function rowOf(record: SessionRecord, facts: BoardFacts, nowMs: number): BoardRow {
  const { agent, session, state, project = "", open = [], host = "" } = record;
  const names = namesOf(record, facts.sessions, nowMs);
  const end = open.findLast(({ name }) => name === "Stop" || name === "StopFailure");
  const asking = state.kind === "needsYou" ? questionsOf(record) : [];
  // A hook may wait for the next prompt.
  const prompts = end !== undefined && waitingIn(facts, end)?.question.kind === "prompt" ? [end] : [];
  const { tool } = turnOf(record) ?? {};
  return {
    record,
    group: groupOf(record),
    agentName: agentName(agent),
    place: [host, placeOf({ project, ...names })].filter(Boolean).join(": "),
    name: shownName(names),
    words: wordsOf(record),
    toolSince: state.kind === "working" && tool?.words !== undefined ? tool.since : undefined,
    questions: [...asking, ...prompts].map((each) => questionOf(each, record, facts)),
    telling: end === undefined ? undefined : facts.tellingOf(end.id),
    subagents: state.kind === "waitsForHelpers" ? state.helpers : (turnOf(record)?.helpers ?? 0),
    mute: muteOf(facts.mutes, { agent, project, session, cwd: record.folder ?? "" }, undefined, nowMs),
  };
}

const groupByState: Readonly<Record<StateKind, Group>> = {
  needsYou: "needsYou",
  failed: "failed",
  waitsForLimit: "waitsForLimit",
  working: "working",
  waitsForHelpers: "waitsForSubagents",
  done: "quiet",
  interrupted: "quiet",
  idle: "quiet",
  unknown: "quiet",
  gone: "ended",
};

function groupOf({ state }: SessionRecord): Group {
  return state.kind === "done" && !state.isSeen ? "unread" : groupByState[state.kind];
}

/** The question whose hook waits. */
function waitingIn({ questions }: BoardFacts, { position }: OpenEvent): BoardFacts["questions"][number] | undefined {
  return position === undefined ? undefined : questions.find(({ question }) => question.id === position);
}

function questionOf(event: OpenEvent, { agent, host }: SessionRecord, facts: BoardFacts): BoardQuestion {
  const asked = { event: event.id, at: event.at, words: event.words, telling: facts.tellingOf(event.id) };
  const closed = { ...asked, ...whyClosed(facts, event, host) };
  const waiting = waitingIn(facts, event);
  if (waiting === undefined) return closed;
  const { question, answer } = waiting;
  if (answer?.isUnanswered === true) return closed;
  if (answer !== undefined) return { ...asked, ended: describeEnd(question, answer) };
  const name = agentName(agent);
  const { kind, fields } = question;
  const open = {
    question,
    shortId: questionIdOf(question),
    choices: choicesOf(question),
    card: cardOf(question, name, titleOf(question, name)),
    note: kind === "permission" ? whyOnlyDenied(question) : howToReply(fields),
  };
  return { ...asked, open };
}

function whyClosed(
  { takesAnswers, tellingOf }: BoardFacts,
  { id }: OpenEvent,
  host: string | undefined,
): Pick<BoardQuestion, "whyClosed"> {
  if (host !== undefined) return { whyClosed: `No hook waits for an answer here; the agent asks on ${host}.` };
  if (takesAnswers === undefined) return {};
  const why = tellingOf(id)?.noButtons ?? `hookbell why ${id.slice(0, shortEventId)} shows how it went`;
  return { whyClosed: takesAnswers ? `No hook waits for an answer: ${why}.` : answersAreOff };
}

/** Why no key and no command answers a question, where the rules file has no "answers". */
export const answersAreOff = `Answers are off; to enable them, add "answers": {} to the rules file and run hookbell init: ${docsUrl("reference/ANSWERS.md")}`;

/** `hookbell log` shows as much of an id. */
const shortEventId = "evt_".length + 8;
