// Finds out, for each session with an open question, whether the person has answered it at the terminal: after a denial
// or Escape many agents run no hook, and after a permission only once the tool has run.
import { join } from "node:path";
import { answerSigns } from "../../agents/signs-of-agents.ts";
import type { AnswerSigns } from "../../agents/answer-signs.ts";
import { placeFolder } from "../../agents/wiring.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { type OpenEvent, questionsOf } from "../../sessions/state.ts";
import { isStillThere } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { askingIn } from "../plan/waiting-list.ts";
import { createTranscriptReader, endCalls, type QuestionState, stateOfQuestion } from "./calls-in-transcript.ts";
import { type AllowedCommand, type Asker, createCommandWatch } from "./allowed-commands.ts";
import { createStatusWatch } from "./session-status.ts";

export interface TerminalWatch {
  /** A session may have a new question. */
  reconsider(): void;
  /** Sessions whose questions have all been answered; each once. */
  findAnswered(): Answered[];
  /** Whether an answer may still show. */
  isBusy(): boolean;
  finish(): void;
}

export interface Answered {
  session: SessionRecord;
  kind: "answered" | "interrupted";
  /** Such as "its transcript says that the question has been answered". */
  why: string;
}

/** An agent's own files are up to half a second late, and people are promised two seconds. */
const lookEveryMs = 500;
/** A person who has not answered for so long is not at the terminal. */
const watchedForMs = 60 * 60_000;
/** An agent may create its transcript a moment after its question. */
const writtenWithinMs = 10_000;

export function createTerminalWatch({ layout, tools }: Dispatcher, wake: () => void): TerminalWatch {
  const { clock, env, home } = tools;
  const transcripts = createTranscriptReader();
  const statuses = createStatusWatch();
  const commands = createCommandWatch();
  let nextLookAt = -Infinity;
  let isBusy = false;
  let cancelLook = (): void => {};
  return {
    reconsider() {
      nextLookAt = -Infinity;
    },
    findAnswered() {
      const now = clock.now();
      if (now < nextLookAt) return [];
      nextLookAt = Infinity;
      cancelLook();
      const askers = askingIn(layout).flatMap((session) => askerOf(session, now));
      const allowed = commands(askers, now);
      const looks = askers.map((asker) => ({ session: asker.session, ...lookAt(asker, allowed, now) }));
      transcripts.keep(askers.flatMap(({ questions }) => questions.flatMap(({ transcript = [] }) => transcript)));
      isBusy = looks.some(({ isOpen }) => isOpen);
      if (isBusy) {
        nextLookAt = now + lookEveryMs;
        cancelLook = clock.after(lookEveryMs, wake);
      }
      return looks.flatMap(({ session, kind, why }) => (why === undefined ? [] : [{ session, kind, why }]));
    },
    isBusy: () => isBusy,
    finish: () => cancelLook(),
  };

  function askerOf(session: SessionRecord, nowMs: number): (Asker & Questions)[] {
    const { agent, terminal, transcript } = session;
    const signs = Object.hasOwn(answerSigns, agent) ? answerSigns[agent] : undefined;
    if (signs === undefined || (terminal !== undefined && !isStillThere(terminal))) return [];
    const usual = transcript ?? transcriptOf(signs, session.session);
    const questions = questionsOf(session).map((each) => ({ ...each, transcript: each.transcript ?? usual }));
    const askedAt = questions.at(-1)?.at ?? -Infinity;
    const isWatched = nowMs - askedAt < watchedForMs && questions.some((each) => each.transcript !== undefined);
    return isWatched ? [{ session, signs, questions, commands: signs.commands, askedAt }] : [];
  }

  function lookAt(
    { session, signs, questions }: Asker & Questions,
    allowed: readonly AllowedCommand[],
    nowMs: number,
  ): Look {
    let kind: Look["kind"] = "answered";
    const states = questions.map((question): QuestionState => {
      const followed = question.transcript === undefined ? undefined : transcripts.read(signs, question.transcript);
      if (followed === undefined) return nowMs - question.at < writtenWithinMs ? "waits" : "gone";
      for (const each of allowed) if (each.session === session) endCalls(followed, each.call, each.startedAt);
      kind = followed.interruptedAt > question.at ? "interrupted" : "answered";
      return stateOfQuestion(followed, question);
    });
    const noted = statuses.look(signs.status, session, questions, nowMs);
    if (noted === "answered") return { isOpen: false, kind, why: "the agent notes that it no longer waits" };
    if (states.every((state) => state === "gone")) return { isOpen: noted === "waits", kind };
    if (noted === "waits" || states.includes("waits") || states.at(-1) !== "answered") return { isOpen: true, kind };
    const isAllowed = allowed.some((each) => each.session === session);
    const what = isAllowed
      ? "the agent runs what it asked for"
      : "its transcript says that the question has been answered";
    return { isOpen: false, kind, why: what };
  }

  function transcriptOf({ transcriptOf: file }: AnswerSigns, session: string): string | undefined {
    const path = file?.path(session);
    return file === undefined || path === undefined ? undefined : join(placeFolder(file.place, env, home), path);
  }
}

interface Questions {
  signs: AnswerSigns;
  questions: readonly OpenEvent[];
}

interface Look {
  /** An answer may still show. */
  isOpen: boolean;
  /** How the last question ended. */
  kind: Answered["kind"];
  /** All questions have been answered, as this says. */
  why?: string;
}
