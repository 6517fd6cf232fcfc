import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepWithin, rejectedBounds } from "../../src/outbox/bounds.ts";
import { boundJournal, listJournal, parseJournal, readJournal, writeJournal } from "../../src/outbox/journal.ts";
import { keepRejected, quarantine } from "../../src/outbox/rejected.ts";
import { sweep } from "../../src/daemon/leased/sweep.ts";
import { temporaryFolder, temporaryState } from "../support/project/temporary-state.ts";

const now = Date.UTC(2026, 10, 21, 12);
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

describe("a folder that is kept within bounds", () => {
  it.each<[string, { maxFiles: number; maxBytes: number }, string[]]>([
    ["fits", { maxFiles: 4, maxBytes: 400 }, []],
    ["has too many files: the oldest names leave", { maxFiles: 2, maxBytes: 400 }, ["a", "b"]],
    ["has too many bytes: the oldest names leave", { maxFiles: 4, maxBytes: 199 }, ["a", "b", "c"]],
  ])("%s", (_name, bounds, removed) => {
    const dir = temporaryFolder();
    for (const name of ["d", "a", "c", "b"]) writeFileSync(join(dir, name), "x".repeat(100));
    expect(keepWithin(dir, bounds)).toEqual(removed);
    expect(readdirSync(dir)).toEqual(["a", "b", "c", "d"].filter((name) => !removed.includes(name)));
  });

  it("loses what was longest unchanged first, where names say nothing", () => {
    const dir = temporaryFolder();
    for (const [index, name] of ["c", "a", "b"].entries()) {
      writeFileSync(join(dir, name), "");
      utimesSync(join(dir, name), index, index);
    }
    expect(keepWithin(dir, { maxFiles: 1, maxBytes: 1 }, "modified")).toEqual(["c", "a"]);
  });

  it("loses folders too, which others have put there", () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "a", "inside"), { recursive: true });
    writeFileSync(join(dir, "b"), "");
    expect(keepWithin(dir, { maxFiles: 1, maxBytes: 1e6 })).toEqual(["a"]);
  });
});

describe("what a killed process left aside", () => {
  it("leaves after an hour, files and folders", () => {
    const layout = temporaryState();
    const folder = join(layout.root, ".tmp-program-1");
    mkdirSync(join(folder, "dist"), { recursive: true });
    const file = join(layout.outbox, ".tmp-1");
    writeFileSync(file, "");
    for (const path of [folder, file]) utimesSync(path, (now - hourMs) / 1000 - 1, (now - hourMs) / 1000 - 1);
    sweep(layout, now);
    expect([folder, file].filter((path) => existsSync(path))).toEqual([]);
  });
});

describe("rejected payloads", () => {
  // It looks at tens of thousands of files, and Wine takes about a millisecond for each.
  it("are bounded as they come, and the journal has the fact (not under Wine)", () => {
    const layout = temporaryState();
    for (let count = 0; count <= rejectedBounds.maxFiles / 2; count += 1) {
      keepRejected(layout, Buffer.from(`payload ${count}`), ["no JSON"], now + count);
    }
    const left = readdirSync(layout.rejected).sort();
    expect(left.length).toBe(rejectedBounds.maxFiles);
    expect(readFileSync(join(layout.rejected, left.at(-2) ?? ""), "utf8")).toMatch(/^payload 200$/);
    expect(listJournal(layout).flatMap((file) => readJournal(layout, file))).toMatchObject([
      { kind: "removed", what: "2 rejected files", why: "there were too many" },
    ]);
  });

  it("take a folder that lies where a delivery should, and the reason beside it", () => {
    const layout = temporaryState();
    mkdirSync(join(layout.outbox, "1-msg_a.json"));
    quarantine(layout, "outbox", "1-msg_a.json", "it is a folder", now);
    expect(readdirSync(layout.outbox)).toEqual([]);
    const [payload = "", reasons = ""] = readdirSync(layout.rejected).sort();
    expect(statSync(join(layout.rejected, payload)).isDirectory()).toBe(true);
    expect(readFileSync(join(layout.rejected, reasons), "utf8")).toBe("outbox/1-msg_a.json: it is a folder\n");
  });
});

describe("the journal", () => {
  const filler = "x".repeat(1024 * 1024 - 100);

  it("takes several entries at once, and leaves a file in whose place a folder came", () => {
    const layout = temporaryState();
    writeJournal(layout, now, { kind: "notice", count: 1 }, { kind: "notice", count: 2 });
    rmSync(join(layout.journal, "2026-11-21.jsonl"));
    mkdirSync(join(layout.journal, "2026-11-21.jsonl"));
    writeJournal(layout, now, { kind: "notice", count: 3 });
    writeJournal(layout, now + dayMs, { kind: "notice", count: 4 });
    expect(listJournal(layout).map((file) => readJournal(layout, file).map(({ count }) => count))).toEqual([
      [],
      [3],
      [4],
    ]);
  });

  it("has a line for each of several entries", () => {
    const layout = temporaryState();
    writeJournal(layout, now, { kind: "notice", count: 1 }, { kind: "notice", count: 2 });
    expect(readJournal(layout, "2026-11-21.jsonl").map(({ count }) => count)).toEqual([1, 2]);
  });

  it("goes on in another file when a day is loud, in order, and keeps the newest", () => {
    const layout = temporaryState();
    const entries = 80;
    for (let count = 0; count < entries; count += 1)
      writeJournal(layout, now + count, { kind: "notice", count, filler });
    const files = listJournal(layout);
    expect(files.slice(0, 3)).toEqual(["2026-11-21.jsonl", "2026-11-21.part002.jsonl", "2026-11-21.part003.jsonl"]);
    expect(files.flatMap((file) => readJournal(layout, file)).map(({ count }) => count)).toEqual(
      Array.from({ length: entries }, (_, index) => index),
    );
    const removed = boundJournal(layout);
    expect(removed).toEqual(files.slice(0, removed.length));
    const bytes = listJournal(layout).reduce((sum, file) => sum + statSync(join(layout.journal, file)).size, 0);
    expect(bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(50 * 1024 * 1024);
    // The day goes on where it was, not in the place of what was removed.
    writeJournal(layout, now + entries, { kind: "notice", count: entries });
    expect(readJournal(layout, listJournal(layout).at(-1) ?? "").at(-1)?.count).toBe(entries);
  });

  it("keeps 30 days of which there is something, however far a clock may have jumped", () => {
    const layout = temporaryState();
    for (let day = 0; day < 33; day += 1) writeJournal(layout, now + day * dayMs, { kind: "notice" });
    writeJournal(layout, now + 4000 * dayMs, { kind: "notice" });
    expect(boundJournal(layout)).toEqual(
      ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24"].map((day) => `${day}.jsonl`),
    );
    expect(listJournal(layout).length).toBe(30);
  });

  it("names its days in UTC, so that no change between summer and winter time comes near it", () => {
    const layout = temporaryState();
    writeJournal(layout, Date.UTC(2026, 9, 25, 0, 59), { kind: "notice" });
    writeJournal(layout, Date.UTC(2026, 9, 25, 23, 59), { kind: "notice" });
    writeJournal(layout, Date.UTC(2026, 9, 26, 0, 0), { kind: "notice" });
    expect(listJournal(layout)).toEqual(["2026-10-25.jsonl", "2026-10-26.jsonl"]);
  });

  it.each([
    ["torn at its end", '{"at":"1","kind":"event"}\n{"at":"2","ki', ["1"]],
    [
      "torn in its middle by a full disk",
      '{"at":"1","ki{"at":"2","kind":"event"}\n{"at":"3","kind":"event"}\n',
      ["2", "3"],
    ],
    ["not JSON", 'hello\n{"at":"3","kind":"event"}\n', ["3"]],
    ["empty", "", []],
  ])("gives what can be read of a file that is %s", (_name, text, expected) => {
    expect(parseJournal(text).map(({ at }) => at)).toEqual(expected);
  });
});

describe("what lies in the state and is no one's", () => {
  it("leaves after an hour: half-written files go, strange ones are set aside; payloads stay", () => {
    const layout = temporaryState();
    const put = (path: string, ageMs: number): void => {
      writeFileSync(path, "x");
      utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000);
    };
    const old = 2 * 60 * 60 * 1000;
    for (const dir of [
      layout.incoming,
      layout.outbox,
      layout.dead,
      layout.sessions,
      layout.endpoints,
      layout.rejected,
    ]) {
      put(join(dir, ".tmp-old"), old);
      put(join(dir, ".tmp-new"), 1000);
    }
    put(join(layout.root, "lease.stale-abc"), old);
    const compiled = join(layout.root, "compile-cache");
    mkdirSync(compiled);
    for (let age = 0; age < 410; age += 1) put(join(compiled, `chunk-${age}.js`), age);
    put(join(compiled, ".tmp-old"), old);
    put(join(layout.incoming, ".tmp-sh-1-1-0.droid.Stop.json"), old);
    put(join(layout.incoming, "payload.json"), old);
    put(join(layout.incoming, "notes.txt"), old);
    put(join(layout.incoming, "copying.part"), 1000);
    put(join(layout.outbox, "core"), old);
    sweep(layout, now);
    expect(readdirSync(layout.incoming).sort()).toEqual([
      ".tmp-new",
      ".tmp-sh-1-1-0.droid.Stop.json",
      "copying.part",
      "payload.json",
    ]);
    for (const dir of [layout.outbox, layout.dead, layout.sessions, layout.endpoints]) {
      expect(readdirSync(dir)).toEqual([".tmp-new"]);
    }
    expect(readdirSync(layout.root)).not.toContain("lease.stale-abc");
    expect(readdirSync(compiled)).toHaveLength(400);
    expect(readdirSync(compiled)).not.toContain("chunk-409.js");
    const reasons = readdirSync(layout.rejected).filter((name) => name.endsWith(".reasons.txt"));
    expect(reasons.map((name) => readFileSync(join(layout.rejected, name), "utf8")).sort()).toEqual([
      "incoming/notes.txt: its name does not end in .json\n",
      "outbox/core: its name does not end in .json\n",
    ]);
  });

  it("stays where it is a link to nothing, whose age cannot be told (posix)", () => {
    const layout = temporaryState();
    symlinkSync("nowhere", join(layout.incoming, "dangling"));
    sweep(layout, now);
    expect(readdirSync(layout.incoming)).toEqual(["dangling"]);
  });
});
