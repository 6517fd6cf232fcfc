// Follows each open question to its end, and shows that end everywhere.
import { describeEnd, give } from "../../answers/give-answer.ts";
import {
  endsAt,
  isObeyed,
  listQuestions,
  questionsFolder,
  readAnswer,
  removeAbandoned,
  removeQuestion,
  type Question,
} from "../../answers/questions.ts";
import type { Answer } from "../../model/answer.ts";
import { journalBug } from "../../outbox/journal.ts";
import { readSession } from "../../outbox/sessions.ts";
import { howItEnded } from "../../policies/answered.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { isAlive } from "../../system/process/identity.ts";
import { callChannel, noteFailedCall } from "../../pipeline/channel/call-channel.ts";
import type { Service } from "../attend.ts";
import type { Dispatcher, NoteReaction } from "../../pipeline/dispatcher.ts";
import { endedCard } from "../../pipeline/answers/ask.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { whyElsewhere } from "../../pipeline/answers/route.ts";

export interface QuestionWatch extends Service {
  untilOver(question: string): AbortSignal;
}

/** What this dispatcher knows of a question besides its files. */
interface Followed {
  /** Aborted at the question's end. */
  over: AbortController;
  /** When this dispatcher saw the end, in milliseconds since the epoch. */
  endedAt?: number;
  /** The messages that have been changed to say how it ended, or are being changed. */
  closed: Map<string, Promise<void>>;
}

interface Watch {
  dispatcher: Dispatcher;
  onActed: NoteReaction;
  followed: Map<string, Followed>;
  listeners: Listeners;
}

const lookEveryMs = 2000;
/** An ended question stays this long: for late answers, and for messages that were under way at its end. */
const keptMs = 20_000;
const closeTimeoutMs = 10_000;

export function createQuestionWatch(
  dispatcher: Dispatcher,
  onActed: NoteReaction,
  onChange: () => void,
): QuestionWatch {
  const { layout, tools } = dispatcher;
  const watch: Watch = { dispatcher, onActed, followed: new Map(), listeners: createListeners(dispatcher) };
  let unwatch: (() => void) | undefined;
  /** Whether a question is open, or has ended within the last seconds. */
  let isBusy = false;
  let isStopped = false;
  return {
    name: "questions",
    start: async () => removeAbandoned(layout, tools.clock.now()),
    poll(now) {
      isBusy = followAll(watch);
      // Without questions there may be no folder.
      if (isBusy) unwatch ??= watchFolder(questionsFolder(layout), onChange);
      return { nextAt: isBusy ? now + lookEveryMs : Infinity };
    },
    busy: () => (isBusy ? "work" : undefined),
    untilOver(id) {
      const { over } = followedOf(watch, id);
      if (isStopped) over.abort();
      return over.signal;
    },
    async stop() {
      isStopped = true;
      unwatch?.();
      for (const { over } of watch.followed.values()) over.abort();
      const closing = [...watch.followed.values()].flatMap(({ closed }) => [...closed.values()]);
      await Promise.all([...closing, watch.listeners.stop()]);
    },
  };
}

/** Whether there is any question. Those that have ended leave in their time. */
function followAll(watch: Watch): boolean {
  const { dispatcher, followed, listeners } = watch;
  const questions = listQuestions(dispatcher.layout);
  for (const question of questions) follow(watch, question);
  const known = new Set(questions.map(({ id }) => id));
  for (const [id, { over }] of followed) {
    if (known.has(id)) continue;
    over.abort();
    followed.delete(id);
  }
  const channels = Object.values(dispatcher.rules().rules.channels);
  const isHeard = (channel: Channel): boolean =>
    channel.answers && questions.some((question) => whyElsewhere(dispatcher, question, channel) === undefined);
  listeners.want(channels.filter(isHeard));
  return questions.length > 0;
}

function follow(watch: Watch, question: Question): void {
  const { dispatcher, onActed } = watch;
  const now = dispatcher.tools.clock.now();
  const end = endOf(dispatcher, question);
  if (end === undefined) return;
  const own = followedOf(watch, question.id);
  if (own.endedAt === undefined) {
    own.endedAt = now;
    own.over.abort();
    if (end.choice !== "none") onActed(question, `answered by ${end.by}`, true);
  }
  for (const shown of question.shown) {
    const key = JSON.stringify(shown);
    if (own.closed.has(key)) continue;
    const closing = closeShown(dispatcher, question, shown, describeEnd(question, end));
    own.closed.set(
      key,
      closing.catch((error: unknown) => journalBug(dispatcher.layout, dispatcher.tools.clock.now(), error)),
    );
  }
  // Nothing comes late to a question that no one has seen. A card that is answered in words has no nonces.
  const isSeen = question.shown.length > 0 || question.nonces.length > 0 || end.choice !== "none";
  if (!isSeen || now >= own.endedAt + keptMs) removeQuestion(dispatcher.layout, question.id);
}

function followedOf({ followed }: Watch, id: string): Followed {
  const known = followed.get(id) ?? { over: new AbortController(), closed: new Map() };
  followed.set(id, known);
  return known;
}

/** How the question ended; undefined while it is open. */
function endOf({ layout, tools, host }: Dispatcher, question: Question): Answer | undefined {
  const now = tools.clock.now();
  // The agent ends its hook when the user answers in the terminal.
  const isHookGone = question.host === host && !isAlive(question.pid);
  const isWaiting = !isHookGone && now < endsAt(question);
  const answer = readAnswer(layout, question.id);
  if (answer?.choice === "none" || (answer !== undefined && isObeyed(layout, question.id))) return answer;
  // The hook is about to obey an answer that is there.
  if (isWaiting) return undefined;
  if (answer !== undefined)
    return { ...answer, choice: "none", by: `${answer.by} answered, but the agent had gone on` };
  const session = readSession(layout, question.agent, question.session);
  const ended = now < endsAt(question) ? { by: howItEnded(session) } : { by: "no answer came", isUnanswered: true };
  give(layout, question, { choice: "none", ...ended, at: now });
  return readAnswer(layout, question.id);
}

async function closeShown(
  dispatcher: Dispatcher,
  question: Question,
  shown: Question["shown"][number],
  end: string,
): Promise<void> {
  const channel = findChannel(dispatcher.rules().rules, shown.channel);
  const transport = channel?.channelType.answers;
  if (channel === undefined || transport?.close === undefined) return;
  const message = endedCard(question, shown, end);
  const called = await callChannel(dispatcher, channel, { timeoutMs: closeTimeoutMs }, (settings, tools) =>
    transport.close?.(settings, shown.place, message, tools),
  );
  noteFailedCall(dispatcher, channel, "not closed", called);
}
