import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLinesFrom } from "../../../src/system/files/read-lines.ts";

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hookbell-lines-"));
  path = join(folder, "file");
});
afterAll(() => rmSync(folder, { recursive: true }));

const sizes = { chunkBytes: 16, maxLineBytes: 64 };

function readAll(from = 0): { lines: string[]; offset: number } {
  const lines: string[] = [];
  let offset = from;
  for (;;) {
    const read = readLinesFrom(path, offset, sizes);
    if (read === undefined) throw new Error("there is no file");
    lines.push(...read.lines);
    offset = read.offset;
    if (!read.hasMore) return { lines, offset };
  }
}

test("every line of any text is read once, also when it grows in between", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/\s/g, "_"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.array(line, { maxLength: 20 }), (first, second) => {
      writeFileSync(path, first.map((each) => `${each}\n`).join(""));
      const read = readAll();
      appendFileSync(path, second.map((each) => `${each}\n`).join(""));
      const wanted = [...first, ...second].filter((each) => each !== "");
      expect([...read.lines, ...readAll(read.offset).lines]).toEqual(wanted);
    }),
  );
});

test("a line without an end waits for it", () => {
  writeFileSync(path, "one\ntw");
  expect(readAll()).toEqual({ lines: ["one"], offset: 4 });
  appendFileSync(path, "o\n");
  expect(readAll(4)).toEqual({ lines: ["two"], offset: 8 });
});

test("a long line is read, and one that is too long is passed over", () => {
  writeFileSync(path, `${"a".repeat(60)}\n${"b".repeat(300)}\nend\n`);
  expect(readAll().lines).toEqual(["a".repeat(60), "end"]);
});

test("a file that is not there, and one that has become shorter", () => {
  expect(readLinesFrom(join(folder, "none"), 0, sizes)).toBeUndefined();
  writeFileSync(path, "x\n");
  expect(readLinesFrom(path, 10, sizes)).toEqual({ lines: [], offset: 10, hasMore: false });
});
