// Finds out, for each session with an open question, whether the person has answered it at the terminal: after a denial
// or Escape many agents run no hook, and after a permission only once the tool has run.
import { join } from "node:path";
import { answerSigns } from "../../agents/answer-signs.ts";
import type { AnswerSigns } from "../../agents/dialect/answer-signs.ts";
import { placeFolder } from "../../agents/wiring.ts";
import { wasQuestion } from "../../model/event.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import { isStillThere } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { askingIn } from "../plan/waiting-list.ts";
import { createTranscriptReader, type Followed, stateOfQuestion } from "./calls-in-transcript.ts";
import { createStatusReader, stateByStatus } from "./session-status.ts";

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
  let lookAt = -Infinity;
  let isBusy = false;
  let cancelLook = (): void => {};
  return {
    reconsider() {
      lookAt = -Infinity;
    },
    findAnswered() {
      const now = clock.now();
      if (now < lookAt) return [];
      lookAt = Infinity;
      cancelLook();
      const statuses = createStatusReader();
      const looks = [...askingIn(layout).values()].flatMap((session) => {
        const signs = Object.hasOwn(answerSigns, session.agent) ? answerSigns[session.agent] : undefined;
        const path = signs && (session.transcript ?? transcriptOf(signs, session.session));
        if (signs === undefined || path === undefined || !isAsking(session, now)) return [];
        const questions = (session.open ?? []).filter(wasQuestion);
        const noted = stateByStatus(statuses(signs.status, path).get(session.session), questions, now);
        const followed = transcripts.read(signs, path);
        if (noted === "answered")
          return [{ session, path, isOpen: false, why: "the agent notes that it no longer waits" }];
        return [
          { session, path, ...(noted === "waits" ? { isOpen: true } : stateByTranscript(followed, questions, now)) },
        ];
      });
      transcripts.keep(looks.map(({ path }) => path));
      isBusy = looks.some(({ isOpen }) => isOpen);
      if (isBusy) {
        lookAt = now + lookEveryMs;
        cancelLook = clock.after(lookEveryMs, wake);
      }
      return looks.flatMap(({ session, why }) => (why === undefined ? [] : [{ session, why }]));
    },
    isBusy: () => isBusy,
    finish: () => cancelLook(),
  };

  function transcriptOf({ transcriptOf: file }: AnswerSigns, session: string): string | undefined {
    const path = file?.path(session);
    return file === undefined || path === undefined ? undefined : join(placeFolder(file.place, env, home), path);
  }
}

function isAsking({ terminal, open = [] }: SessionRecord, nowMs: number): boolean {
  const isWatched = (each: OpenEvent): boolean => wasQuestion(each) && nowMs - each.at < watchedForMs;
  return open.some(isWatched) && (terminal === undefined || isStillThere(terminal));
}

interface Look {
  /** An answer may still show. */
  isOpen: boolean;
  /** All questions have been answered, as this says. */
  why?: string;
}

function stateByTranscript(followed: Followed | undefined, questions: readonly OpenEvent[], nowMs: number): Look {
  if (followed === undefined) return { isOpen: questions.some(({ at }) => nowMs - at < writtenWithinMs) };
  const states = questions.map((question) => stateOfQuestion(followed, question));
  if (states.includes("waits") || states.at(-1) !== "answered") return { isOpen: true };
  return { isOpen: false, why: "its transcript says that the question has been answered" };
}
