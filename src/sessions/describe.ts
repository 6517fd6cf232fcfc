// What a session's state is now, and in which words people read it.
import { isEndOfTurn } from "../model/event.ts";
import { ownAgents } from "../model/own-events.ts";
import { printableLine, shortenMiddle } from "../model/text.ts";
import { questionsOf, type Session, type State, type StateKind } from "./state.ts";

/** Policies wait as long for the subagents of a turn that has ended. */
export const maxSubagentMs = 30 * 60_000;
/** The agent goes on by itself after its last subagent. */
export const afterSubagentsMs = 10_000;
/** Silence after which no one can say that it still works. */
const maxSilentWorkMs = 2 * 60 * 60_000;
/** An older session is gone, as after a reboot. */
const maxSilenceMs = 12 * 60 * 60_000;

/** The session at a time at which nothing new came: what is silent for too long is unknown. */
export function sessionAt<S extends Session>(session: S, nowMs: number): S {
  const state = stateAt(session, nowMs);
  return state === session.state ? session : { ...session, state };
}

function stateAt({ state, lastSeenAt }: Session, nowMs: number): State {
  const silenceMs = nowMs - lastSeenAt;
  const unknown = (reason: string): State => ({ kind: "unknown", since: lastSeenAt, reason, source: state.source });
  if (state.kind === "gone" || state.kind === "unknown") return state;
  if (silenceMs >= maxSilenceMs) return unknown("It has been silent for half a day.");
  if (state.kind === "working" && silenceMs >= maxSilentWorkMs) return unknown("It has been silent for two hours.");
  if (state.kind === "waitsForLimit" && state.until !== undefined && nowMs >= state.until) {
    return unknown("Its limit has been reset, and it has been silent since.");
  }
  if (state.kind !== "waitsForHelpers") return state;
  const doneAt = state.since + (state.helpers === 0 ? afterSubagentsMs : maxSubagentMs);
  if (nowMs < doneAt) return state;
  return { kind: "done", since: doneAt, reason: "Its turn ended.", source: state.source, isSeen: false };
}

type Identified = Session & { agent: string; session: string };

/** Agents' sessions; not those that a channel is only remembered for. */
export function isOfAgent({ agent, session, lastSeenAt }: Identified): boolean {
  return !ownAgents.has(agent) && session !== "unknown" && lastSeenAt > 0;
}

/** A session that a person would list: it is open, has given a sign within half a day, and is no subagent, unless it asks. */
export function isLive(session: Identified, nowMs: number): boolean {
  const { state, helperOf } = session;
  return isRecent(session, nowMs) && (helperOf === undefined || state.kind === "needsYou");
}

/** The session is open, and has given a sign within half a day. */
export function isRecent(session: Identified, nowMs: number): boolean {
  const { state, lastSeenAt } = session;
  return state.kind !== "gone" && isOfAgent(session) && nowMs - lastSeenAt < maxSilenceMs;
}

/** The words that people read in tables. */
export const stateWords: Readonly<Record<StateKind, string>> = {
  needsYou: "needs you",
  failed: "failed",
  waitsForLimit: "at a limit",
  done: "done",
  interrupted: "interrupted",
  working: "working",
  waitsForHelpers: "subagents run",
  idle: "idle",
  unknown: "unknown",
  gone: "gone",
};

/** What a status line counts, in this order, for one session and for several. */
const counted: readonly (readonly [StateKind[], one: string, several: string])[] = [
  [["needsYou"], "needs you", "need you"],
  [["failed"], "failed", "failed"],
  [["waitsForLimit"], "at a limit", "at a limit"],
  [["working", "waitsForHelpers"], "works", "work"],
];

/** "2 need you, 3 work"; empty where no session waits or works. */
export function lineOf(sessions: readonly Session[]): string {
  return counted
    .flatMap(([kinds, one, several]) => {
      const { length } = sessions.filter(({ state }) => kinds.includes(state.kind));
      return length === 0 ? [] : `${length} ${length === 1 ? one : several}`;
    })
    .join(", ");
}

/**
 * All of what it asks, the tool call that runs, the prompt it works on, or what its agent said last; undefined where its
 * reason says all. The words are untrusted.
 */
export function wordsOf(session: Session & { lastPrompt?: string | undefined }): string | undefined {
  const { state, lastPrompt, open = [] } = session;
  switch (state.kind) {
    case "needsYou":
      return questionsOf(session).at(-1)?.words;
    case "idle":
    case "unknown":
      return undefined;
    case "interrupted":
      return lastPrompt;
    case "working":
      return state.turn.tool?.words ?? lastPrompt ?? state.turn.lastTool;
    default:
      if (state.kind === "gone" && state.turn !== undefined) return lastPrompt;
      return open.findLast(({ name }) => isEndOfTurn({ name }))?.words;
  }
}

/** UTF-16 units. */
const maxLine = 60;

/** A command's end matters as much as its beginning. */
export function oneLine(words: string): string {
  return shortenMiddle(printableLine(words), maxLine);
}
