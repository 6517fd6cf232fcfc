// Watches the open questions: listens for answers, and shows everywhere how each ended.
import { describeEnd, give } from "../../answers/give-answer.ts";
import {
  hasQuestions,
  isObeyed,
  listQuestions,
  questionsFolder,
  readAnswer,
  removeAbandoned,
  removeQuestion,
  type Question,
} from "../../answers/questions.ts";
import type { Answer } from "../../model/answer.ts";
import { messageOf } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { findChannel } from "../../rules/built-in.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { isAlive } from "../../system/process/identity.ts";
import { callChannel, noteFailedCall } from "../call-channel.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { endedCard } from "./ask.ts";
import { createListeners } from "./listeners.ts";

export interface QuestionWatch {
  look(): void;
  /** Whether a question is open, or one that is over is still shown as open. */
  isBusy(): boolean;
  untilOver(question: string): AbortSignal;
  finish(): Promise<void>;
}

const lookEveryMs = 2000;
/** A late answer gets its reply. */
const lingerMs = 20_000;
const closeTimeoutMs = 10_000;

export function createQuestionWatch(dispatcher: Dispatcher, onChange: () => void): QuestionWatch {
  const { layout, tools, host } = dispatcher;
  const { clock } = tools;
  const listeners = createListeners(dispatcher);
  const signals = new Map<string, AbortController>();
  const closing = new Map<string, Promise<void>>();
  let unwatch: (() => void) | undefined;
  let cancelLook = (): void => {};
  let openUntil = -Infinity;
  let isBusy = false;

  const signalOf = (id: string): AbortController => {
    const signal = signals.get(id) ?? new AbortController();
    signals.set(id, signal);
    return signal;
  };

  /** The agent ends its hook when the user answers in the terminal. */
  const isHookGone = (question: Question): boolean => question.host === host && !isAlive(question.pid);

  /** How it ended; undefined while it is open. */
  const endOf = (question: Question): Answer | undefined => {
    const now = clock.now();
    const answer = readAnswer(layout, question.id);
    if (answer !== undefined) {
      if (answer.choice === "none" || isObeyed(layout, question.id)) return answer;
      // The hook is about to obey.
      if (!isHookGone(question) && now < question.expiresAt) return undefined;
      return { ...answer, choice: "none", by: `${answer.by} answered, but the agent had gone on` };
    }
    if (!isHookGone(question) && now < question.expiresAt) return undefined;
    const by = now < question.expiresAt ? "answered at the terminal" : "no answer came";
    give(layout, question, { choice: "none", by, at: now });
    return readAnswer(layout, question.id);
  };

  const close = async (question: Question, answer: Answer): Promise<void> => {
    signalOf(question.id).abort();
    if (answer.choice !== "none") dispatcher.noteActed?.(question, `answered by ${answer.by}`, true);
    await Promise.all(
      question.shown.map((shown) => closeShown(dispatcher, question, shown, describeEnd(question, answer))),
    );
    removeQuestion(layout, question.id);
  };

  let hasTidied = false;
  const look = (): void => {
    isBusy = false;
    if (!hasTidied) removeAbandoned(layout, clock.now());
    hasTidied = true;
    if (!hasQuestions(layout) && openUntil <= clock.now()) {
      listeners.want([]);
      return;
    }
    unwatch ??= watchFolder(questionsFolder(layout), onChange);
    const open = listQuestions(layout).filter((question) => {
      if (closing.has(question.id)) return false;
      const end = endOf(question);
      if (end === undefined) return true;
      const closed = close(question, end)
        .catch((error: unknown) => {
          writeJournal(layout, clock.now(), { kind: "dispatcher", what: "bug", detail: messageOf(error) });
        })
        .finally(() => {
          closing.delete(question.id);
          signals.delete(question.id);
          onChange();
        });
      closing.set(question.id, closed);
      return false;
    });
    if (open.length > 0) openUntil = clock.now() + lingerMs;
    isBusy = open.length > 0 || closing.size > 0 || openUntil > clock.now();
    const channels = Object.values(dispatcher.rules().rules.channels);
    listeners.want(isBusy ? channels.filter(({ answers }) => answers) : []);
    cancelLook();
    if (isBusy) cancelLook = clock.after(lookEveryMs, onChange);
  };

  return {
    look,
    isBusy: () => isBusy,
    untilOver: (id) => signalOf(id).signal,
    async finish() {
      cancelLook();
      unwatch?.();
      for (const signal of signals.values()) signal.abort();
      await Promise.all([...closing.values(), listeners.stop()]);
    },
  };
}

async function closeShown(
  dispatcher: Dispatcher,
  question: Question,
  { channel: name, place }: Question["shown"][number],
  end: string,
): Promise<void> {
  const channel = findChannel(dispatcher.rules().rules, name);
  const transport = channel?.channelType.answers;
  if (channel === undefined || transport?.close === undefined) return;
  const message = endedCard(question, channel, end);
  const called = await callChannel(dispatcher, channel, { timeoutMs: closeTimeoutMs }, (settings, tools) =>
    transport.close?.(settings, place, message, tools),
  );
  noteFailedCall(dispatcher, channel, "not closed", called);
}
