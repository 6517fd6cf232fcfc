// Watches open sessions for what no hook tells. What does not change costs almost nothing.
import { join } from "node:path";
import { answerSigns } from "../../agents/signs-of-agents.ts";
import type { AnswerSigns } from "../../agents/answer-signs.ts";
import { placeFolder } from "../../agents/wiring.ts";
import { createProcessCheck, processOf } from "../../outbox/current-sessions.ts";
import type { Layout } from "../../outbox/layout.ts";
import { hiddenPath, type SessionRecord } from "../../outbox/sessions.ts";
import { sessionAt } from "../../sessions/describe.ts";
import { isUnanswered, maxReviewMs } from "../../sessions/state.ts";
import { tryToStat } from "../../system/files/files.ts";
import { watchFolder } from "../../system/files/watch.ts";
import type { Service } from "../attend.ts";
import type { Seen } from "./seen.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { openIn } from "../../pipeline/coalescer/waiting-list.ts";
import { hasJustAsked, type Observer, type OpenSession, pauseMs, type Sight } from "../../pipeline/observe/observer.ts";
import { observeCommands } from "../../pipeline/observe/command-started.ts";
import { observeStatus } from "../../pipeline/observe/session-status.ts";
import { createTranscriptReader } from "../../pipeline/observe/transcript.ts";
import { observeTurn } from "../../pipeline/observe/turn-in-transcript.ts";

export interface SessionWatch extends Service {
  /** Sessions may have changed. */
  reconsider(): void;
}

interface Watched {
  open: OpenSession;
  observer: Observer;
  folders: readonly string[];
}

/** After such a silence of its hooks, they may have been removed; a person who is away that long needs no notice of Escape. */
const followedForMs = 2 * 60 * 60_000;
/** A question may be answered the next morning; a session that is silent for longer is unknown. */
const askingForMs = 12 * 60 * 60_000;
/** Time alone makes a session unknown. */
const planEveryMs = 5000;
/** A transcript grows several times a second; one look reads all of it. */
const settleMs = 500;

/** `onSeen` is called with what is new. `wake` is called when it is time to look, which what changes may put off or bring forward. */
export function createSessionWatch(
  { layout, tools }: Dispatcher,
  onSeen: (seen: Seen) => void,
  wake: () => void,
): SessionWatch {
  const { clock, env, home } = tools;
  const observers = createObservers(layout);
  const lookedAt = new Map<Observer, number>();
  /** An observer that could not be sure wants to look again at this time. */
  const againAt = new Map<Observer, number>();
  const folders = new Map<string, () => void>();
  let watched: readonly Watched[] = [];
  let watchedBy: ReadonlyMap<Observer, readonly OpenSession[]> = new Map();
  let watchedAt = -Infinity;
  let hasChanged = true;
  let isBusy = false;
  let lookAt = -Infinity;
  let cancelLook = (): void => {};

  const lookIn = (ms: number): void => {
    const at = clock.now() + ms;
    if (at >= lookAt && lookAt > clock.now()) return;
    lookAt = at;
    cancelLook();
    cancelLook = clock.after(ms, wake);
  };
  const lookSoon = (): void => {
    hasChanged = true;
    lookIn(settleMs);
  };
  /** Which observers look at which sessions, and the folders that tell of changes. */
  const plan = (now: number): void => {
    const open = [...openIn(layout).values()].flatMap((session) => openSession(session, now, { env, home }));
    watched = open.flatMap((each) =>
      observers.flatMap((observer) => {
        const told = observer.watches(each, now);
        return told === undefined ? [] : [{ open: each, observer, folders: told }];
      }),
    );
    const used = new Set(watched.map(({ observer }) => observer));
    watchedBy = new Map(
      [...used].map((each) => [each, watched.flatMap(({ observer, open }) => (observer === each ? [open] : []))]),
    );
    watchedAt = now;
    isBusy = open.some((each) => isFollowed(each, now));
    const wanted = new Set(watched.flatMap((each) => each.folders));
    for (const [folder, unwatch] of folders) {
      if (wanted.has(folder)) continue;
      unwatch();
      folders.delete(folder);
    }
    for (const folder of wanted) {
      if (!folders.has(folder) && isThere(folder))
        folders.set(
          folder,
          watchFolder(folder, () => lookSoon()),
        );
    }
  };

  /** When each observer looks next, by what it watches now: a session that has just asked is looked at soon. */
  const dueTimes = (now: number): { observer: Observer; at: number; pause: number }[] =>
    [...watchedBy].map(([observer, sessions]) => {
      const pause = observer.everyMs(sessions, now);
      const usual = Math.min(lookedAt.get(observer) ?? -Infinity, now) + pause;
      return { observer, at: Math.min(usual, againAt.get(observer) ?? Infinity), pause };
    });

  const look = (now: number): Seen[] => {
    if (now < lookAt) return [];
    lookAt = Infinity;
    cancelLook();
    if (now - watchedAt >= planEveryMs || now < watchedAt) plan(now);
    const due = dueTimes(now);
    // Observers look together: each time that the dispatcher wakes costs as much as a look.
    const isAnyDue = due.some(({ at }) => at <= now);
    const looked = due.flatMap(({ observer, at, pause }) => (isAnyDue && at <= now + pause / 4 ? [observer] : []));
    const sights = new Map<OpenSession, Sight>();
    for (const observer of looked) againAt.delete(observer);
    for (const { open, observer, folders: told } of watched) {
      if (sights.has(open) || !(looked.includes(observer) || (hasChanged && told.length > 0))) continue;
      const sight = observer.look(open, now);
      if (sight === undefined) continue;
      sights.set(open, sight);
      if (sight.kind === "waits" && sight.againAt !== undefined) againAt.set(observer, sight.againAt);
    }
    hasChanged = false;
    for (const observer of looked) lookedAt.set(observer, now);
    const next = Math.min(...dueTimes(now).map(({ at }) => at));
    if (next !== Infinity) lookIn(next - now);
    return [...sights].flatMap(([{ session }, sight]) => {
      if (sight.kind === "waits") return [];
      const { why, ...observation } = sight;
      return [{ session, observation, why }];
    });
  };

  return {
    name: "sessions",
    waitsForBacklog: true,
    reconsider() {
      watchedAt = -Infinity;
      lookSoon();
    },
    start: async () => {},
    poll(now) {
      for (const seen of look(now)) onSeen(seen);
      return { nextAt: Infinity };
    },
    busy: () => (isBusy ? "stay" : undefined),
    async stop() {
      cancelLook();
      for (const unwatch of folders.values()) unwatch();
    },
  };
}

function openSession(
  session: SessionRecord,
  nowMs: number,
  { env, home }: Pick<Dispatcher["tools"], "env" | "home">,
): OpenSession[] {
  if (!/^(?:working|needsYou)$/.test(sessionAt(session, nowMs).state.kind)) return [];
  const signs = Object.hasOwn(answerSigns, session.agent) ? (answerSigns[session.agent] ?? {}) : {};
  const usual = hiddenPath(session.transcript) ?? transcriptOf(signs, session.session, env, home);
  const questions = (session.open ?? [])
    .filter(isUnanswered)
    .map((each) => ({ ...each, transcript: hiddenPath(each.transcript) ?? usual }));
  const transcripts = new Set([usual, ...questions.map(({ transcript }) => transcript)]);
  return [{ session, signs, questions, transcripts: [...transcripts].filter((path) => path !== undefined) }];
}

function transcriptOf(
  { transcriptOf: file }: AnswerSigns,
  session: string,
  ...where: [Dispatcher["tools"]["env"], string]
): string | undefined {
  const path = file?.path(session);
  return file === undefined || path === undefined ? undefined : join(placeFolder(file.place, ...where), path);
}

/**
 * A session is followed until its process has ended or it has been silent for too long; without a known process, until the
 * person has left.
 */
function isFollowed(open: OpenSession, nowMs: number): boolean {
  const forMs = open.questions.length > 0 ? askingForMs : followedForMs;
  const isToldOf = open.signs.status?.tellsOfQuestions === true && open.transcripts.some(isThere);
  if (isToldOf || processOf(open.session) !== undefined) return nowMs - open.session.lastSeenAt < forMs;
  return open.signs.callsIn !== undefined && hasJustAsked(open, nowMs) && open.transcripts.some(isThere);
}

function isThere(path: string): boolean {
  return tryToStat(path) !== undefined;
}

const lookEveryMs = 5000;

/** Each can be left out; the first that can tell has the say. */
function createObservers(layout: Layout): readonly Observer[] {
  const reader = createTranscriptReader();
  return [observeProcess(layout), observeReview, observeStatus(reader), observeCommands(reader), observeTurn(reader)];
}

/** Sees a process that has ended: no hook and no other signal tells of it. */
function observeProcess(layout: Layout): Observer {
  const check = createProcessCheck(layout);
  return {
    everyMs: (watched, nowMs) => pauseMs(lookEveryMs, watched, nowMs),
    watches: ({ session }) => (processOf(session) === undefined ? undefined : []),
    look: ({ session }, nowMs) => check(session, nowMs),
  };
}

/** Sees the end of the time that an agent's own reviewer has for a question: then the person is asked. */
const observeReview: Observer = {
  everyMs: () => lookEveryMs,
  watches: ({ questions }) => (questions.some((each) => each.isReviewed) ? [] : undefined),
  look({ questions }, nowMs) {
    const isOver = questions.some((each) => each.isReviewed === true && each.at + maxReviewMs <= nowMs);
    return isOver ? { kind: "reviewOver", source: "transcript", at: nowMs } : undefined;
  },
};
