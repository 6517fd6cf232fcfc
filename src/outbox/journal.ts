// The journal: a record of events, decisions and attempts, a file for each day.
import { isTrial } from "../model/own-events.ts";
import type { AgentEvent } from "../model/event.ts";
import { join } from "node:path";
import { listNames, removeIfThere, statIfThere } from "../system/files/files.ts";
import { readFrom, readIfThere } from "../system/files/read.ts";
import { appendLine } from "../system/files/write.ts";
import { keepWithin } from "./bounds.ts";
import type { Layout } from "./layout.ts";
import { messageOf } from "../model/errors.ts";
import { asObject, parseJson } from "../model/json.ts";

/** `at` is ISO 8601, UTC. Never holds a secret. */
export interface JournalEntry {
  at: string;
  kind:
    | "event"
    | "decision"
    | "attempt"
    | "rejected"
    | "dispatcher"
    | "notice"
    | "removed"
    | "retried"
    | "attention"
    | "muted"
    | "unmuted"
    | "presence"
    | "acted"
    | "answer";
  [detail: string]: unknown;
}

/** A loud day goes on in another file. */
const maxFileBytes = 8 * 1024 * 1024;
/** Counts days with entries, so that a clock that jumps ahead does not empty the journal. */
const maxDays = 30;
const maxJournalBytes = 64 * 1024 * 1024;
const maxParts = 999;

/** `2026-11-21.jsonl`, then `2026-11-21.part002.jsonl`: they sort by time. */
const fileName = /^\d{4}-\d{2}-\d{2}(?:\.part(\d{3}))?\.jsonl$/;

/** The file that this process wrote last. Listing the folder takes longer than writing a line. */
const writing = (): { file?: string } => ({});

function fileOf(layout: Layout, at: string): string {
  const day = at.slice(0, 10);
  const last = layout.memory(writing).file;
  if (last?.startsWith(day) && hasRoom(layout, last)) return last;
  const newest = listJournal(layout).findLast((name) => name.startsWith(day));
  if (newest === undefined) return `${day}.jsonl`;
  const part = Number(fileName.exec(newest)?.[1] ?? 1);
  return hasRoom(layout, newest) || part === maxParts
    ? newest
    : `${day}.part${String(part + 1).padStart(3, "0")}.jsonl`;
}

/** A pipe in its place would wait for a reader. */
function hasRoom(layout: Layout, name: string): boolean {
  const { bytes = 0, isFile = true } = statIfThere(join(layout.journal, name)) ?? {};
  return isFile && bytes < maxFileBytes;
}

/** All entries are appended at once. A full disk costs the lines, never a delivery. */
export function writeJournal(layout: Layout, nowMs: number, ...entries: readonly Omit<JournalEntry, "at">[]): void {
  const at = new Date(nowMs).toISOString();
  const lines = entries.map((entry) => JSON.stringify({ at, ...entry }));
  try {
    const file = fileOf(layout, at);
    layout.memory(writing).file = file;
    appendLine(join(layout.journal, file), lines.join("\n"));
  } catch {}
}

/** An error that no one expects: the dispatcher goes on without what it was doing. */
export function journalBug(layout: Layout, nowMs: number, error: unknown): void {
  writeJournal(layout, nowMs, { kind: "dispatcher", what: "bug", detail: messageOf(error) });
}

export function listJournal(layout: Layout): string[] {
  return listNames(layout.journal).filter((name) => fileName.test(name));
}

export function readJournal(layout: Layout, file: string): JournalEntry[] {
  if (!statIfThere(join(layout.journal, file))?.isFile) return [];
  return parseJournal(readIfThere(join(layout.journal, file)) ?? "");
}

export function parseJournal(text: string): JournalEntry[] {
  return text.split("\n").flatMap((line) => {
    // A line that a full disk cut off has the next one behind it.
    return parseEntry(line) ?? parseEntry(line.slice(Math.max(0, line.lastIndexOf(lineStart)))) ?? [];
  });
}

const lineStart = '{"at":"';

function parseEntry(line: string): JournalEntry | undefined {
  // An exception for each of many lines would take long.
  if (!line.startsWith("{")) return undefined;
  return asObject(parseJson(line)) as JournalEntry | undefined;
}

export function boundJournal(layout: Layout): string[] {
  const days = [...new Set(listJournal(layout).map((name) => name.slice(0, 10)))];
  const tooOld = new Set(days.slice(0, -maxDays));
  const removed = listJournal(layout).filter(
    (name) => tooOld.has(name.slice(0, 10)) && removeIfThere(join(layout.journal, name)),
  );
  return [...removed, ...keepWithin(layout.journal, { maxFiles: Infinity, maxBytes: maxJournalBytes })];
}

/** Bytes that were read of each file. */
export type JournalOffsets = Map<string, number>;

export function journalBytes(layout: Layout, file: string): number {
  const stats = statIfThere(join(layout.journal, file));
  return stats?.isFile ? stats.bytes : 0;
}

/** A line that is being written is left for the next time. */
export function readJournalOn(layout: Layout, file: string, offsets: JournalOffsets): JournalEntry[] {
  const offset = offsets.get(file) ?? 0;
  if (journalBytes(layout, file) === offset) return [];
  const { text, bytes } = readFrom(join(layout.journal, file), offset);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  offsets.set(file, bytes - Buffer.byteLength(text.slice(whole.length)));
  return parseJournal(whole);
}

export function tailJournal(layout: Layout): () => JournalEntry[] {
  const offsets: JournalOffsets = new Map(listJournal(layout).map((file) => [file, journalBytes(layout, file)]));
  return () => listJournal(layout).flatMap((file) => readJournalOn(layout, file, offsets));
}

/** The event, unless it is ignored, repeats another one, or only tries a hook. */
export function newsIn(entry: JournalEntry): AgentEvent | undefined {
  if (entry.kind !== "event" || entry.ignored !== undefined || entry.duplicateOf !== undefined) return undefined;
  const event = entry.event as AgentEvent;
  return isTrial(event.session) ? undefined : event;
}
