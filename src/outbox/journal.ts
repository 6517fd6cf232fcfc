import { join } from "node:path";
import { appendLine, listNames, readIfThere } from "../system/files.ts";
import { journalBounds, keepWithin } from "./bounds.ts";
import type { Layout } from "./layout.ts";

/** One line of the record: what happened, and why. `at` is ISO 8601, UTC. Never holds a secret. */
export interface JournalEntry {
  at: string;
  kind: "event" | "decision" | "attempt" | "rejected" | "dispatcher" | "notice" | "removed";
  [detail: string]: unknown;
}

function fileOf(at: string): string {
  return `${at.slice(0, 10)}.jsonl`;
}

/** Adds an entry to the file of its day. The journal must never stop a delivery: a full disk costs the line. */
export function writeJournal(layout: Layout, nowMs: number, entry: Omit<JournalEntry, "at">): void {
  const at = new Date(nowMs).toISOString();
  try {
    appendLine(join(layout.journal, fileOf(at)), JSON.stringify({ at, ...entry }));
  } catch {
    // What is being recorded goes on.
  }
}

/** Names of the journal's files, oldest day first. */
export function listJournal(layout: Layout): string[] {
  return listNames(layout.journal).filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name));
}

/** The entries of one day; a torn line is left out. */
export function readJournal(layout: Layout, file: string): JournalEntry[] {
  return parseJournal(readIfThere(join(layout.journal, file)) ?? "");
}

export function parseJournal(text: string): JournalEntry[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "object" && entry !== null ? [entry as JournalEntry] : [];
    } catch {
      return [];
    }
  });
}

export function boundJournal(layout: Layout): string[] {
  return keepWithin(layout.journal, journalBounds);
}
