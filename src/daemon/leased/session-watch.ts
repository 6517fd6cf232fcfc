// Watches open sessions for what no hook tells. What does not change costs almost nothing.
import { createProcessCheck, processOf } from "../../outbox/current-sessions.ts";
import type { Layout } from "../../outbox/layout.ts";
import { hiddenPath, type SessionRecord } from "../../outbox/sessions.ts";
import { sessionAt } from "../../sessions/describe.ts";
import { isUnanswered, maxReviewMs, watchedSubagents } from "../../sessions/state.ts";
import { tryToStat } from "../../system/files/files.ts";
import { FolderNames, FolderWatches } from "../../system/files/watch.ts";
import type { Service } from "../attend.ts";
import type { ObservedSession } from "./session-observation.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { openIn } from "../../pipeline/coalescer/waiting-list.ts";
import { hasJustAsked, type Observer, type OpenSession, pauseMs, type Sight } from "../../pipeline/observe/observer.ts";
import { observeCommands } from "../../pipeline/observe/command-started.ts";
import { observeStatus } from "../../pipeline/observe/session-status.ts";
import { observeSubagents } from "../../pipeline/observe/subagents.ts";
import { createTranscriptReader } from "../../pipeline/observe/transcript.ts";
import { observeTurn } from "../../pipeline/observe/turn-in-transcript.ts";
import { signsOf, transcriptOf } from "../../pipeline/understand/transcript.ts";

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
export class SessionWatch implements Service {
  readonly name = "sessions";
  readonly waitsForBacklog = true;
  private readonly dispatcher: Pick<Dispatcher, "layout" | "tools">;
  private readonly onSeen: (seen: ObservedSession) => void;
  private readonly wake: () => void;
  private readonly observers: readonly Observer[];
  private readonly lookedAt = new Map<Observer, number>();
  /** An observer that could not be sure wants to look again at this time. */
  private readonly againAt = new Map<Observer, number>();
  private readonly folders = new FolderWatches(() => this.lookSoon());
  private watched: readonly Watched[] = [];
  private watchedBy: ReadonlyMap<Observer, readonly OpenSession[]> = new Map();
  private watchedAt = -Infinity;
  private hasChanged = true;
  private isBusy = false;
  private lookAt = -Infinity;
  private cancelLook = (): void => {};

  constructor(dispatcher: Dispatcher, onSeen: (seen: ObservedSession) => void, wake: () => void) {
    this.dispatcher = dispatcher;
    this.onSeen = onSeen;
    this.wake = wake;
    this.observers = createObservers(dispatcher.layout);
  }

  poll(now: number): { nextAt: number } {
    for (const seen of this.look(now)) this.onSeen(seen);
    return { nextAt: Infinity };
  }

  busy(): "stay" | undefined {
    return this.isBusy ? "stay" : undefined;
  }

  async stop(): Promise<void> {
    this.cancelLook();
    this.folders.close();
  }

  /** Sessions may have changed. */
  reconsider(): void {
    this.watchedAt = -Infinity;
    this.lookSoon();
  }

  private lookSoon(): void {
    this.hasChanged = true;
    this.lookIn(settleMs);
  }

  private lookIn(ms: number): void {
    const { clock } = this.dispatcher.tools;
    const at = clock.now() + ms;
    if (at >= this.lookAt && this.lookAt > clock.now()) return;
    this.lookAt = at;
    this.cancelLook();
    this.cancelLook = clock.after(ms, this.wake);
  }

  private look(now: number): ObservedSession[] {
    if (now < this.lookAt) return [];
    this.lookAt = Infinity;
    this.cancelLook();
    if (now - this.watchedAt >= planEveryMs || now < this.watchedAt) this.plan(now);
    const sights = this.sightsOf(this.dueObservers(now), now);
    const next = Math.min(...this.dueTimes(now).map(({ at }) => at));
    if (next !== Infinity) this.lookIn(next - now);
    return [...sights].flatMap(([{ session }, sight]) => {
      if (sight.kind === "waits") return [];
      const { why, ...observation } = sight;
      return [{ session, observation, why }];
    });
  }

  /** Which observers look at which sessions, and the folders that tell of changes. */
  private plan(now: number): void {
    const { layout, tools } = this.dispatcher;
    const open = [...openIn(layout).values()].flatMap((session) => openSession(session, now, tools));
    this.watched = open.flatMap((each) =>
      this.observers.flatMap((observer) => {
        const folders = observer.watches(each, now);
        return folders === undefined ? [] : [{ open: each, observer, folders }];
      }),
    );
    const used = new Set(this.watched.map(({ observer }) => observer));
    this.watchedBy = new Map(
      [...used].map((each) => [each, this.watched.flatMap(({ observer, open }) => (observer === each ? [open] : []))]),
    );
    this.watchedAt = now;
    this.isBusy = open.some((each) => isFollowed(each, now));
    const wanted = new FolderNames();
    for (const folder of this.watched.flatMap((each) => each.folders)) wanted.add(folder);
    this.folders.set(wanted);
  }

  /** When each observer looks next, by what it watches now: a session that has just asked is looked at soon. */
  private dueTimes(now: number): { observer: Observer; at: number; pause: number }[] {
    return [...this.watchedBy].map(([observer, sessions]) => {
      const pause = observer.everyMs(sessions, now);
      const usual = Math.min(this.lookedAt.get(observer) ?? -Infinity, now) + pause;
      return { observer, at: Math.min(usual, this.againAt.get(observer) ?? Infinity), pause };
    });
  }

  /** Observers look together: each time that the dispatcher wakes costs as much as a look. */
  private dueObservers(now: number): Observer[] {
    const due = this.dueTimes(now);
    const isAnyDue = due.some(({ at }) => at <= now);
    return due.flatMap(({ observer, at, pause }) => (isAnyDue && at <= now + pause / 4 ? [observer] : []));
  }

  private sightsOf(looking: readonly Observer[], now: number): ReadonlyMap<OpenSession, Sight> {
    const sights = new Map<OpenSession, Sight>();
    for (const observer of looking) this.againAt.delete(observer);
    for (const { open, observer, folders } of this.watched) {
      if (sights.has(open) || !(looking.includes(observer) || (this.hasChanged && folders.length > 0))) continue;
      const sight = observer.look(open, now);
      if (sight === undefined) continue;
      sights.set(open, sight);
      if (sight.kind === "waits" && sight.againAt !== undefined) this.againAt.set(observer, sight.againAt);
    }
    this.hasChanged = false;
    for (const observer of looking) this.lookedAt.set(observer, now);
    return sights;
  }
}

function openSession(
  session: SessionRecord,
  nowMs: number,
  { env, home }: Pick<Dispatcher["tools"], "env" | "home">,
): OpenSession[] {
  const { kind } = sessionAt(session, nowMs).state;
  const signs = signsOf(session.agent) ?? {};
  if (kind === "waitsForHelpers") {
    const subagents = watchedSubagents(session);
    return subagents.length === 0 ? [] : [{ session, signs, questions: [], transcripts: [], subagents }];
  }
  if (kind !== "working" && kind !== "needsYou") return [];
  const usual = hiddenPath(session.transcript) ?? transcriptOf(signs, session.session, env, home);
  const questions = (session.open ?? [])
    .filter(isUnanswered)
    .map((each) => ({ ...each, transcript: hiddenPath(each.transcript) ?? usual }));
  const transcripts = new Set([usual, ...questions.map(({ transcript }) => transcript)]);
  const there = [...transcripts].filter((path) => path !== undefined);
  return [{ session, signs, questions, transcripts: there, subagents: [] }];
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
  return [
    observeProcess(layout),
    observeReview,
    observeStatus(reader),
    observeCommands(reader),
    observeTurn(reader),
    observeSubagents(reader),
  ];
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
