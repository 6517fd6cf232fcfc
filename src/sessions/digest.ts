// A digest: what ran in a stretch of time, for how long, what failed, and what still waits.
import { type AgentEvent, type Figures, isQuestion } from "../model/event.ts";
import { formatDuration } from "../model/figures/duration.ts";
import { isHookChanged, usageLimitSession } from "../model/own-events.ts";
import { linesOfMany, printableLine } from "../model/text.ts";
import { countsOf } from "./counted.ts";
import { oneLine } from "./describe.ts";
import { type NamedSession, sessionNameOf } from "./names.ts";
import { sessionLine, waitingSessions, waitingTitle, type WaitingSession } from "./waiting.ts";
import { formatTime, nextInstantOf, wallTimeAt } from "../model/figures/wall-clock.ts";

export const digestEventName = "Digest";

export interface DigestSchedule {
  /** Minutes since midnight. */
  at: number;
  /** 0 is Sunday. */
  days: readonly number[];
  /** This machine's when undefined. */
  timeZone?: string | undefined;
}

/** Both ends are milliseconds since the epoch. */
export interface Span {
  from: number;
  to: number;
}

const dayMs = 24 * 60 * 60_000;

/** The newest digest that is due covers all since the one before. */
export function dueSpan({ at, days, timeZone }: DigestSchedule, nowMs: number): Span {
  const times: number[] = [];
  for (let time = nowMs - 16 * dayMs; time <= nowMs; time = nextInstantOf(at, time, timeZone)) {
    // 24:00 belongs to the day that it ends.
    if (days.includes(wallTimeAt(time - 1, timeZone).weekday)) times.push(time);
  }
  const [from = nowMs - dayMs, to = nowMs] = times.slice(-2);
  return { from, to };
}

/** What became of an event's notification, over all channels. */
export type Fate = "sent" | "withheld" | "unreached";

export interface DigestEvent {
  event: AgentEvent;
  /** Undefined if the rules chose no channel for it. */
  fate?: Fate | undefined;
}

interface DigestFailure {
  at: number;
  project: string;
  agent: string;
  /** The name that tells its session from others of the project. */
  name: string | undefined;
  words: string;
}

export interface DigestProject {
  project: string;
  agents: string[];
  turns: number;
  workMs: number;
  failures: number;
  questions: number;
}

export interface Digest {
  from: number;
  to: number;
  /** Most work first. */
  projects: DigestProject[];
  total: Omit<DigestProject, "project" | "agents"> & Record<Fate, number>;
  failures: DigestFailure[];
  waiting: WaitingSession[];
  /** Milliseconds of work in equal parts of the time; parallel work adds up. */
  slots: number[];
}

const slotCount = 24;

export function digestOf(
  events: readonly DigestEvent[],
  sessions: readonly NamedSession[],
  { from, to }: Span,
): Digest {
  const projects = new Map<string, DigestProject>();
  const total = { turns: 0, workMs: 0, failures: 0, questions: 0, sent: 0, withheld: 0, unreached: 0 };
  const failures: Digest["failures"] = [];
  const slots = Array.from({ length: slotCount }, () => 0);
  const waitsBySession = waitsOf(events);
  for (const { event, fate } of events) {
    const at = Date.parse(event.at);
    if (at < from || at >= to) continue;
    if (fate !== undefined) total[fate] += 1;
    // The limit of all sessions has no project, and a changed hook is no work of an agent's.
    if (event.session === usageLimitSession || isHookChanged(event)) continue;
    const { project, agent, durationMs = 0 } = event;
    const counts = countsOf(event);
    const isTurn = counts.turns > 0;
    const waits = isTurn ? waitsWithin(waitsBySession.get(keyOf(event)), at - durationMs, at) : [];
    const workMs = isTurn
      ? durationMs - waits.reduce((sum, { from: asked, to: answered }) => sum + answered - asked, 0)
      : 0;
    const counted = { ...counts, workMs };
    const known = projects.get(project) ?? { project, agents: [], turns: 0, workMs: 0, failures: 0, questions: 0 };
    projects.set(project, known);
    if (!known.agents.includes(agent)) known.agents.push(agent);
    for (const each of [known, total]) {
      each.turns += counted.turns;
      each.workMs += counted.workMs;
      each.failures += counted.failures;
      each.questions += counted.questions;
    }
    if (counts.failures > 0)
      failures.push({ at, project, agent, name: sessionNameOf(event), words: wordsOfFailure(event) });
    if (isTurn) addWork(slots, { from, to }, { from: at - durationMs, to: at }, 1);
    for (const each of waits) addWork(slots, { from, to }, each, -1);
  }
  const byWork = [...projects.values()].sort((a, b) => b.workMs - a.workMs || b.turns - a.turns);
  return { from, to, projects: byWork, total, failures, waiting: waitingSessions(sessions, to), slots };
}

function wordsOfFailure({ message, reason, name }: AgentEvent): string {
  return oneLine(message ?? reason ?? name);
}

/** `15:00  shop-web (cart, Claude Code): rate limit` */
export function failureLine(
  { project, name, agent, words }: DigestFailure,
  time: string,
  nameOf: (agent: string) => string,
): string {
  const who = [...(name === undefined ? [] : [name]), nameOf(agent)].join(", ");
  return `${time}  ${printableLine(`${project} (${who}): ${words}`)}`;
}

/** Spreads the work over the slots that it ran in. `sign`: 1 adds it, -1 takes it away. */
function addWork(slots: number[], { from, to }: Span, work: Span, sign: 1 | -1): void {
  const slotMs = (to - from) / slots.length;
  for (const [index, worked] of slots.entries()) {
    const slotStart = from + index * slotMs;
    const part = Math.max(0, Math.min(work.to, slotStart + slotMs) - Math.max(work.from, slotStart));
    slots[index] = worked + sign * part;
  }
}

const keyOf = ({ agent, session }: AgentEvent): string => `${agent}\n${session}`;

/** When each session waited for the user: from a question to the next sign that it goes on. */
function waitsOf(events: readonly DigestEvent[]): Map<string, Span[]> {
  const found = new Map<string, Span[]>();
  const asked = new Map<string, number>();
  for (const { event } of events) {
    const key = keyOf(event);
    const at = Date.parse(event.at);
    const from = asked.get(key);
    // Further questions do not end the wait, and what a subagent does meanwhile says nothing.
    if (isQuestion(event)) asked.set(key, from ?? at);
    else if (from !== undefined && event.name !== "SubagentStop") {
      asked.delete(key);
      found.set(key, [...(found.get(key) ?? []), { from, to: at }]);
    }
  }
  return found;
}

function waitsWithin(waits: readonly Span[] = [], from: number, to: number): Span[] {
  return waits
    .map((each) => ({ from: Math.max(from, each.from), to: Math.min(to, each.to) }))
    .filter((each) => each.to > each.from);
}

/** `hookbell digest` shows all. */
const maxLines = 5;

export function isEmpty({ projects, waiting }: Digest): boolean {
  return projects.length === 0 && waiting.length === 0;
}

/** `3 turns, 25m of work, 1 failure, 2 questions` */
export function summarise({ turns, workMs, failures, questions }: Omit<DigestProject, "project" | "agents">): string {
  const parts = [`${turns} ${turns === 1 ? "turn" : "turns"}`];
  if (workMs > 0) parts.push(`${formatDuration(workMs)} of work`);
  if (failures > 0) parts.push(`${failures} ${failures === 1 ? "failure" : "failures"}`);
  if (questions > 0) parts.push(`${questions} ${questions === 1 ? "question" : "questions"}`);
  return parts.join(", ");
}

/** The message's texts are untrusted. */
export function digestMessage(
  digest: Digest,
  nameOf: (agent: string) => string,
): { title: string; message: string; figures?: Figures } {
  const { projects, total, failures, waiting, from, to } = digest;
  const worked = projects.map((each) => `${each.project}: ${summarise(each)}`);
  const listed = (header: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [header, linesOfMany(all, maxLines, "more")];
  const failed = failures.map((each) => failureLine(each, formatTime(each.at, from, undefined), nameOf)).toReversed();
  const waits = waiting.map((each) =>
    sessionLine(each, { ...each.question, since: formatTime(each.question.at, from, undefined), nameOf }),
  );
  const lines = [
    ...listed(`Since ${formatTime(from, to, undefined)}:`, worked),
    ...listed("Failures, newest first:", failed),
    ...listed(`${waitingTitle(waiting.length)}:`, waits),
  ];
  const title = summarise(total);
  return projects.length === 0
    ? { title, message: lines.join("\n") }
    : { title, message: lines.join("\n"), figures: figuresOf(digest, nameOf) };
}

/** The most rows that one e-mail shows. */
const maxRows = 20;

function figuresOf({ projects, slots, from, to }: Digest, nameOf: (agent: string) => string): Figures {
  const slotMs = (to - from) / slots.length;
  return {
    table: {
      columns: ["Project", "Work", "Turns", "Failed", "Questions", "Agents"],
      rows: projects
        .slice(0, maxRows)
        .map(({ project, workMs, turns, failures, questions, agents }) => [
          project.slice(0, maxTextLength),
          workMs > 0 ? formatDuration(workMs) : "",
          ...[turns, failures, questions].map((each) => (each === 0 ? "" : String(each))),
          agents.map(nameOf).join(", ").slice(0, maxTextLength),
        ]),
    },
    chart: {
      title: "Minutes of work",
      labels: slots.map((_, index) => formatTime(from + index * slotMs, to, undefined)),
      values: slots.map((workMs) => Math.round(workMs / 60_000)),
    },
  };
}

const maxTextLength = 200;
