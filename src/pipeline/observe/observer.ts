// What an agent's hooks do not tell: each observer looks at one thing of an open session.
import type { AnswerSigns } from "../../agents/answer-signs.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import type { SessionObservation } from "../event/track.ts";

/** A session that works, or waits for the person, or for subagents whose transcripts tell of their end. */
export interface OpenSession {
  session: SessionRecord;
  signs: AnswerSigns;
  /** Oldest first; each has the transcript of who asks, if that is known. */
  questions: readonly OpenEvent[];
  /** The transcripts of the session and of its questions; none of one that waits for subagents. */
  transcripts: readonly string[];
  /** For which it waits, each with its transcript. */
  subagents: readonly { session: string; since: number; transcript: string }[];
}

/**
 * `why` is such as "the agent records that it no longer waits". `waits`: the question is still open at the terminal; the
 * observer wants to look again at `againAt` where it cannot be sure yet.
 */
export type Sight = (SessionObservation & { why?: string }) | { kind: "waits"; againAt?: number };

export interface Observer {
  /** Milliseconds between two looks at these sessions, of which there is one at least, while no folder tells of a change. */
  everyMs(watched: readonly OpenSession[], nowMs: number): number;
  /** The folders in which a change is looked at soon; undefined for a session of which it can see nothing. */
  watches(open: OpenSession, nowMs: number): readonly string[] | undefined;
  /** Undefined where it cannot tell. Called only for sessions that it watches. */
  look(open: OpenSession, nowMs: number): Sight | undefined;
}

/** A person who has not answered for so long is not at the terminal. */
export const atTerminalMs = 60 * 60_000;

/** Whether the session has asked so lately that the person may be at its terminal. */
export function hasJustAsked({ questions }: OpenSession, nowMs: number): boolean {
  return nowMs - (questions.at(-1)?.at ?? -Infinity) < atTerminalMs;
}

const minuteMs = 60_000;
/** docs/background/SESSIONS.md promises that a look comes within this time. */
const longestPauseMs = 10_000;

/** The longer no session has given a sign, the rarer a look need be: an answer comes soon, or after hours. */
export function pauseMs(usualMs: number, watched: readonly OpenSession[], nowMs: number): number {
  const signs = watched.flatMap(({ session, questions }) => [session.lastSeenAt, questions.at(-1)?.at ?? 0]);
  // The clock may have been turned back.
  const quietMs = Math.abs(nowMs - Math.max(...signs));
  const pause = quietMs < 2 * minuteMs ? usualMs : quietMs < 10 * minuteMs ? 4 * usualMs : longestPauseMs;
  return Math.min(pause, longestPauseMs);
}
