// The strip of the day: how many turns, questions and failures each project had in each quarter of an hour.
import type { AgentEvent } from "../model/event.ts";
import { countsOf } from "../sessions/counted.ts";
import { listJournal, newsIn, readJournalOn, type JournalOffsets } from "../outbox/journal.ts";
import type { Layout } from "../outbox/layout.ts";
import { othersTurn } from "../system/clock.ts";

/** Quarters of an hour in a day. */
export const quarters = 96;
/** Projects with the most events come first; a strip of each of hundreds would help no one. */
const maxProjects = 12;

const kinds = { turns: "turn", questions: "question", failures: "failure" } as const;
export type DayKind = keyof typeof kinds;

/** Each list has one number for each quarter of an hour. */
export interface ProjectDay extends Record<DayKind, number[]> {
  project: string;
  /** Such as `12 turns, 3 questions, 1 failure`. */
  summary: string;
}

export interface Day {
  /** Midnight of this machine's time zone, in milliseconds since the epoch. */
  start: number;
  projects: ProjectDay[];
}

type Strip = Record<DayKind, number[]>;

/** Call the result again when the journal may have grown: it reads only what is new. */
export function createDayReader(layout: Layout): (nowMs: number) => Promise<Day> {
  let dayStart = NaN;
  let strips = new Map<string, Strip>();
  let offsets: JournalOffsets = new Map();
  return async (nowMs) => {
    const start = startOfDay(nowMs);
    if (start !== dayStart) [dayStart, strips, offsets] = [start, new Map(), new Map()];
    // Files are named by the day in UTC, which may have begun before.
    const first = new Date(start).toISOString().slice(0, 10);
    for (const file of listJournal(layout).filter((name) => name.slice(0, 10) >= first)) {
      for (const entry of readJournalOn(layout, file, offsets)) {
        const event = newsIn(entry);
        if (event !== undefined) count(strips, { at: Date.parse(entry.at), event }, start);
      }
      await othersTurn();
    }
    return { start, projects: sorted(strips) };
  };
}

interface Happening {
  /** Milliseconds since the epoch. */
  at: number;
  event: Pick<AgentEvent, "name" | "level" | "agent" | "session" | "project">;
}

/** The same of events that are in no journal. */
export function dayOf(happenings: readonly Happening[], nowMs: number): Day {
  const start = startOfDay(nowMs);
  const strips = new Map<string, Strip>();
  for (const each of happenings) count(strips, each, start);
  return { start, projects: sorted(strips) };
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

function count(strips: Map<string, Strip>, { at, event }: Happening, dayStart: number): void {
  if (startOfDay(at) !== dayStart) return;
  const counts = countsOf(event);
  // The wall clock names the quarter: a day on which the clocks change has 23 or 25 hours.
  const time = new Date(at);
  const quarter = time.getHours() * 4 + Math.floor(time.getMinutes() / 15);
  for (const kind of Object.keys(kinds) as DayKind[]) {
    if (counts[kind] === 0) continue;
    const strip = strips.get(event.project) ?? { turns: zeros(), questions: zeros(), failures: zeros() };
    strip[kind][quarter] = (strip[kind][quarter] ?? 0) + counts[kind];
    strips.set(event.project, strip);
  }
}

function zeros(): number[] {
  return Array.from({ length: quarters }, () => 0);
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, each) => sum + each, 0);
}

function sorted(strips: ReadonlyMap<string, Strip>): ProjectDay[] {
  const total = ({ turns, questions, failures }: Strip): number =>
    totalOf(turns) + totalOf(questions) + totalOf(failures);
  return [...strips]
    .sort(([, a], [, b]) => total(b) - total(a))
    .slice(0, maxProjects)
    .map(([project, strip]) => ({ project, summary: summaryOf(strip), ...strip }));
}

function summaryOf(strip: Strip): string {
  return Object.entries(kinds)
    .flatMap(([kind, one]) => {
      const total = totalOf(strip[kind as DayKind]);
      return total === 0 ? [] : [`${total} ${total === 1 ? one : kind}`];
    })
    .join(", ");
}
