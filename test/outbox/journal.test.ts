// Who follows the journal has each whole line once, in the order in which they were written.
import { appendFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  journalBug,
  journalBytes,
  listJournal,
  readJournal,
  readJournalOn,
  tailJournal,
  writeJournal,
  type JournalEntry,
  type JournalOffsets,
} from "../../src/outbox/journal.ts";
import { layoutOf } from "../../src/outbox/layout.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

const noon = Date.UTC(2026, 10, 28, 12);
const dayMs = 24 * 60 * 60_000;
const notice = (title: string) => ({ kind: "notice" as const, title });
const titles = (entries: readonly JournalEntry[]) => entries.map(({ title }) => title);

it("what was there before is left out, and what comes is told once, also on the next day", () => {
  const layout = temporaryState();
  writeJournal(layout, noon, notice("before"));
  const tail = tailJournal(layout);
  expect(tail()).toEqual([]);
  writeJournal(layout, noon, notice("first"), notice("second ü"));
  writeJournal(layout, noon + dayMs, notice("tomorrow"));
  expect(titles(tail())).toEqual(["first", "second ü", "tomorrow"]);
  expect(tail()).toEqual([]);
  writeJournal(layout, noon + dayMs, notice("last"));
  expect(titles(tail())).toEqual(["last"]);
});

it("a line that is being written is told once it is whole", () => {
  const layout = temporaryState();
  writeJournal(layout, noon, notice("whole ü"));
  const [file = ""] = listJournal(layout);
  const offsets: JournalOffsets = new Map();
  const path = join(layout.journal, file);
  const [begun, rest] = ['{"at":"2026-11-28T12:00:00.000Z","kind":"notice",', '"title":"later"}\n'];
  appendFileSync(path, begun);
  expect(titles(readJournalOn(layout, file, offsets))).toEqual(["whole ü"]);
  expect(readJournalOn(layout, file, offsets)).toEqual([]);
  appendFileSync(path, rest);
  expect(titles(readJournalOn(layout, file, offsets))).toEqual(["later"]);
  expect(offsets.get(file)).toBe(journalBytes(layout, file));
});

it("a disk that takes nothing costs the lines, and what is no journal is not read as one", () => {
  const layout = temporaryState();
  rmSync(layout.journal, { recursive: true });
  writeJournal(layout, noon, notice("lost"));
  expect([listJournal(layout), journalBytes(layout, "2026-11-28.jsonl")]).toEqual([[], 0]);
  const other = temporaryState();
  for (const name of ["2026-11-28.jsonl.bak", "notes.jsonl", "2026-11-28.part2.jsonl", "x2026-11-28.jsonl"])
    writeFileSync(join(other.journal, name), "{}\n");
  expect(listJournal(other)).toEqual([]);
});

it("another process goes on in the day's last file while that has room, and in the last possible one for ever", () => {
  const layout = temporaryState();
  writeJournal(layout, noon, notice("first"));
  writeJournal(layoutOf(layout.root), noon, notice("second"));
  expect(listJournal(layout)).toEqual(["2026-11-28.jsonl"]);
  expect(titles(readJournal(layout, "2026-11-28.jsonl"))).toEqual(["first", "second"]);
  const last = "2026-11-28.part999.jsonl";
  writeFileSync(join(layout.journal, last), "");
  truncateSync(join(layout.journal, last), 8 * 1024 * 1024);
  writeJournal(layoutOf(layout.root), noon, notice("third"));
  expect(listJournal(layout)).toEqual(["2026-11-28.jsonl", last]);
  expect(journalBytes(layout, last)).toBeGreaterThan(8 * 1024 * 1024);
  expect(readJournal(layout, "2026-11-27.jsonl")).toEqual([]);
});

it("a bug is one line, with what it says", () => {
  const layout = temporaryState();
  journalBug(layout, noon, new Error("no such state"));
  expect(readJournal(layout, "2026-11-28.jsonl")).toEqual([
    { at: "2026-11-28T12:00:00.000Z", kind: "dispatcher", what: "bug", detail: "no such state" },
  ]);
});
