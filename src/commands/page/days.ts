// The strip of the day: how many turns, waits and failures each project had in each quarter of an hour.
import { isAskingEvent } from "../../model/event.ts";
import { listJournal, readJournalOn, type JournalEntry, type JournalOffsets } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { othersTurn } from "../../system/clock.ts";
import { objectOf } from "../../model/json.ts";
import type { ProjectDay } from "./contract.ts";

const quarterMs = 15 * 60_000;
const quarters = 96;
/** Projects with the most events come first; a strip of each of hundreds would help no one. */
const maxProjects = 12;

type Counted = "turns" | "waits" | "failures";
type Strip = Record<Counted, number[]>;

export interface Days {
  /** Reads what has been added to the journal. */
  catchUp(nowMs: number): Promise<void>;
  current(): { days: ProjectDay[]; dayStart: number };
}

export function createDays(layout: Layout): Days {
  let dayStart = NaN;
  let strips = new Map<string, Strip>();
  let offsets: JournalOffsets = new Map();
  return {
    async catchUp(nowMs) {
      const start = startOfDay(nowMs);
      if (start !== dayStart) [dayStart, strips, offsets] = [start, new Map(), new Map()];
      // Files are named by the day in UTC, which may have begun before.
      const first = new Date(start).toISOString().slice(0, 10);
      for (const file of listJournal(layout).filter((name) => name.slice(0, 10) >= first)) {
        for (const entry of readJournalOn(layout, file, offsets)) count(strips, entry, start);
        await othersTurn();
      }
    },
    current: () => ({ days: sorted(strips), dayStart }),
  };
}

/** Midnight of this machine's time zone. */
function startOfDay(nowMs: number): number {
  return new Date(nowMs).setHours(0, 0, 0, 0);
}

function count(strips: Map<string, Strip>, entry: JournalEntry, dayStart: number): void {
  if (entry.kind !== "event" || entry.duplicateOf !== undefined) return;
  const { project, name } = objectOf(entry.event);
  const counted = countedAs(name);
  const quarter = Math.floor((Date.parse(entry.at) - dayStart) / quarterMs);
  if (counted === undefined || typeof project !== "string" || !(quarter >= 0 && quarter < quarters)) return;
  const strip = strips.get(project) ?? { turns: zeros(), waits: zeros(), failures: zeros() };
  strip[counted][quarter] = (strip[counted][quarter] ?? 0) + 1;
  strips.set(project, strip);
}

function countedAs(name: unknown): Counted | undefined {
  if (typeof name !== "string") return undefined;
  if (name === "Stop") return "turns";
  if (name === "StopFailure") return "failures";
  return isAskingEvent({ name }) ? "waits" : undefined;
}

function zeros(): number[] {
  return Array.from({ length: quarters }, () => 0);
}

function sorted(strips: ReadonlyMap<string, Strip>): ProjectDay[] {
  const total = ({ turns, waits, failures }: Strip): number =>
    [...turns, ...waits, ...failures].reduce((sum, each) => sum + each, 0);
  return [...strips]
    .sort(([, a], [, b]) => total(b) - total(a))
    .slice(0, maxProjects)
    .map(([project, strip]) => ({ project, ...strip }));
}
