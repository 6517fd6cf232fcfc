import { join } from "node:path";
import { readFrom, statIfThere } from "../system/files/files.ts";
import { listJournal, parseJournal, type JournalEntry } from "./journal.ts";
import type { Layout } from "./layout.ts";

/** How far each of the journal's files has been read, in bytes. */
export type JournalOffsets = Map<string, number>;

export function journalBytes(layout: Layout, file: string): number {
  const stats = statIfThere(join(layout.journal, file));
  return stats?.isFile ? stats.bytes : 0;
}

/** The entries that a file has got since it was last read. A line that is being written is left for the next time. */
export function readJournalOn(layout: Layout, file: string, offsets: JournalOffsets): JournalEntry[] {
  const offset = offsets.get(file) ?? 0;
  if (journalBytes(layout, file) === offset) return [];
  const { text, bytes } = readFrom(join(layout.journal, file), offset);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  offsets.set(file, bytes - Buffer.byteLength(text.slice(whole.length)));
  return parseJournal(whole);
}

/** Returns what has been added to the journal since it was last asked. */
export function tailJournal(layout: Layout): () => JournalEntry[] {
  const offsets: JournalOffsets = new Map(listJournal(layout).map((file) => [file, journalBytes(layout, file)]));
  return () => listJournal(layout).flatMap((file) => readJournalOn(layout, file, offsets));
}
