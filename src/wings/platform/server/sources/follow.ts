// Reads journal, transcripts and report files again and again, and keeps the finished rows up to date.
import { join } from "node:path";
import { describeWriteError, messageOf } from "../../../../model/errors.ts";
import { printableLine } from "../../../../model/text.ts";
import { isTooDeep } from "../../../../agents/read-payload.ts";
import { layoutOf, type Layout } from "../../../../outbox/layout.ts";
import { type Clock, othersTurn, sleep } from "../../../../system/clock.ts";
import { listNames, statIfThere } from "../../../../system/files/files.ts";
import { readStartIfThere } from "../../../../system/files/read.ts";
import type { Environment } from "../../../../system/environment.ts";
import { readKeys } from "../keys.ts";
import type { Database } from "../store/database.ts";
import { maxEventAgeDays } from "../store/events.ts";
import { renderInTurn } from "../store/days.ts";
import { dayOf, forgetSeenBefore, ingest, readCursor, transcriptsSince } from "../store/ingest.ts";
import { checkReport, reportLimits, storeReport } from "../store/reports.ts";
import { forgetTranscriptCursors, readTranscripts, type TranscriptSource, type UnreadFile } from "./transcripts.ts";
import { agentEventSchema } from "../../../../model/delivery.ts";
import { listJournal, parseJournal, type JournalEntry } from "../../../../outbox/journal.ts";
import { readLinesFrom } from "../../../../system/files/read-lines.ts";
import { isWork, observationOfEvent, type UsageObservation } from "../analytics/observation.ts";

/** Data becomes visible on the next day, so there is no hurry. */
const journalEveryMs = 10_000;
const transcriptsEveryMs = 60_000;

export interface SourceOptions {
  dataDir: string;
  /** Counts the past of the transcripts as well. */
  isBackfill: boolean;
  /** Who works on this machine. */
  user: string;
  stateDir: string;
  home: string;
  env: Environment;
  clock: Clock;
  onNote(text: string): void;
}

/** Ends with the signal. A source that cannot be read stops no other. */
export async function followSources(options: SourceOptions, database: Database, signal: AbortSignal): Promise<void> {
  const { clock, env, home, user, stateDir, dataDir, onNote } = options;
  const onUnread = noteOnce(onNote);
  const transcripts: TranscriptSource = { database, clock, env, home, user, signal, onUnread };
  const journal: JournalSource = { database, layout: layoutOf(stateDir), user, signal };
  let knowsPast = false;
  let nextTranscriptsAt = 0;
  let prunedDay = 0;
  const parts = [
    () => readJournalEvents(journal),
    async () => readReports(database, join(dataDir, "readiness"), clock.now(), onNote),
    async () => {
      if (clock.now() < nextTranscriptsAt) return;
      if (!knowsPast) await dealWithPast(transcripts, options.isBackfill, readKeys(dataDir).length === 0);
      knowsPast = true;
      nextTranscriptsAt = clock.now() + transcriptsEveryMs;
      await readTranscripts(transcripts);
    },
    async () => {
      const today = dayOf(clock.now());
      if (today !== prunedDay) forgetSeenBefore(database, today - maxEventAgeDays - 1);
      prunedDay = today;
      await renderInTurn(database, { firstDay: 0, lastDay: today - 1 }, signal);
    },
  ];
  let lastNote: string | undefined;
  while (!signal.aborted) {
    const problems = new Set<string>();
    for (const part of parts) {
      try {
        await part();
      } catch (error) {
        problems.add(describeWriteError(error));
      }
    }
    const note = problems.size === 0 ? undefined : `cannot count everything: ${[...problems].join("; ")}; trying again`;
    if (note !== lastNote) onNote(note ?? "the sources can be read again");
    lastNote = note;
    await sleep(clock, journalEveryMs, signal);
  }
}

/**
 * With a backfill, transcripts count from their start; else the first server passes over them. A person alone, who has
 * given no one a key, finds their own figures from the start.
 */
async function dealWithPast(source: TranscriptSource, isBackfill: boolean, isAlone: boolean): Promise<void> {
  const { database, clock } = source;
  if (isBackfill) forgetTranscriptCursors(database);
  else if (readCursor(database, transcriptsSince) !== undefined) return;
  else if (!isAlone) await readTranscripts(source, "skip");
  ingest(database, [], [{ name: transcriptsSince, value: isBackfill || isAlone ? 0 : clock.now() }]);
}

/** Reports that are files in `readiness/`; each is read again when it changes. */
function readReports(database: Database, folder: string, nowMs: number, onNote: (text: string) => void): void {
  for (const name of listNames(folder).filter((each) => each.endsWith(".json"))) {
    const path = join(folder, name);
    const stats = statIfThere(path);
    const seen = `${stats?.mtimeMs} ${stats?.bytes}`;
    if (readCursor(database, `report:${name}`) === seen) continue;
    const read = readReport(path, nowMs);
    if ("problem" in read) onNote(`${path}: not a readiness report: ${read.problem}`);
    else storeReport(database, read.report);
    ingest(database, [], [{ name: `report:${name}`, value: seen }]);
  }
}

function readReport(path: string, nowMs: number): ReturnType<typeof checkReport> {
  try {
    const bytes = readStartIfThere(path, reportLimits.bytes + 1);
    if (bytes === undefined) return { problem: "it is gone" };
    if (bytes.length > reportLimits.bytes) return { problem: `it is larger than ${reportLimits.bytes} bytes` };
    const text = bytes.toString("utf8");
    return isTooDeep(text) ? { problem: "it is nested too deep" } : checkReport(JSON.parse(text), nowMs);
  } catch (error) {
    return { problem: messageOf(error).slice(0, 200) };
  }
}

interface JournalSource {
  database: Database;
  layout: Layout;
  /** Whose machine this is. */
  user: string;
  signal: AbortSignal;
}

/** A few hundred events at once: requests wait meanwhile. */
const sizes = { chunkBytes: 64 * 1024, maxLineBytes: 16 * 1024 * 1024 };

/** Counts what is new in every file of the journal. */
async function readJournalEvents(source: JournalSource): Promise<void> {
  for (const file of listJournal(source.layout)) await readFile(source, file);
}

async function readFile({ database, layout, user, signal }: JournalSource, file: string): Promise<void> {
  const path = join(layout.journal, file);
  const cursorName = `journal:${file}`;
  let offset = Number(readCursor(database, cursorName) ?? 0);
  for (;;) {
    const read = readLinesFrom(path, offset, sizes);
    if (read === undefined || read.offset === offset) return;
    const observations = read.lines.flatMap((line) => parseJournal(line).flatMap((entry) => countEntry(entry, user)));
    ingest(database, observations, [{ name: cursorName, value: read.offset }]);
    offset = read.offset;
    if (!read.hasMore || signal.aborted) return;
    await othersTurn();
  }
}

/** The dispatcher marks an event that only repeats another. */
function countEntry(entry: JournalEntry, user: string): UsageObservation[] {
  if (entry.kind !== "event" || entry.duplicateOf !== undefined) return [];
  const parsed = agentEventSchema.safeParse(entry.event);
  if (!parsed.success || !isWork(parsed.data)) return [];
  if (Number.isNaN(Date.parse(parsed.data.at))) return [];
  return [observationOfEvent(parsed.data, user, entry.ignored !== undefined)];
}

/** A file that cannot be read is tried again each minute. */
function noteOnce(onNote: (text: string) => void): (unread: UnreadFile) => void {
  const noted = new Set<string>();
  return ({ path, reason }) => {
    const note = `${printableLine(path)}: not counted, or only in part: ${reason}`;
    if (!noted.has(note)) onNote(note);
    noted.add(note);
  };
}
