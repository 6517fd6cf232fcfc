// Follows this machine's journal and counts the events in it.
import { join } from "node:path";
import { agentEventSchema } from "../../../model/event.ts";
import { isOwnNotice, isVerification } from "../../../model/own-events.ts";
import { listJournal, parseJournal, type JournalEntry } from "../../../outbox/journal.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { othersTurn } from "../../../system/clock.ts";
import { readLinesFrom } from "../../../system/files/read-lines.ts";
import { observationOfEvent } from "../analytics/observation.ts";
import type { Database } from "../store/database.ts";
import type { Observation } from "../analytics/observation.ts";
import { ingest, readCursor } from "../store/ingest.ts";

export interface JournalSource {
  database: Database;
  layout: Layout;
  /** Whose machine this is. */
  user: string;
  signal: AbortSignal;
}

/** A few hundred events at once: requests wait meanwhile. */
const sizes = { chunkBytes: 64 * 1024, maxLineBytes: 16 * 1024 * 1024 };

/** Counts what is new in every file of the journal; returns how many events. */
export async function readJournalEvents(source: JournalSource): Promise<number> {
  let added = 0;
  for (const file of listJournal(source.layout)) added += await readFile(source, file);
  return added;
}

async function readFile({ database, layout, user, signal }: JournalSource, file: string): Promise<number> {
  const path = join(layout.journal, file);
  const cursorName = `journal:${file}`;
  let added = 0;
  let offset = Number(readCursor(database, cursorName) ?? 0);
  for (;;) {
    const read = readLinesFrom(path, offset, sizes);
    if (read === undefined || read.offset === offset) return added;
    const observations = read.lines.flatMap((line) => parseJournal(line).flatMap((entry) => countEntry(entry, user)));
    added += ingest(database, observations, [{ name: cursorName, value: read.offset }]);
    offset = read.offset;
    if (!read.hasMore || signal.aborted) return added;
    await othersTurn();
  }
}

/** The dispatcher marks an event that only repeats another. */
function countEntry(entry: JournalEntry, user: string): Observation[] {
  if (entry.kind !== "event" || entry.duplicateOf !== undefined) return [];
  const parsed = agentEventSchema.safeParse(entry.event);
  if (!parsed.success || isOwnNotice(parsed.data) || isVerification(parsed.data.session)) return [];
  if (Number.isNaN(Date.parse(parsed.data.at))) return [];
  return [observationOfEvent(parsed.data, user, entry.ignored !== undefined)];
}
