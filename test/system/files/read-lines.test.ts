import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
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

test("every line that is not too long is read once, also when the file grows in between", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/\s/g, "_"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.array(line, { maxLength: 20 }), (first, second) => {
      writeFileSync(path, first.map((each) => `${each}\n`).join(""));
      const read = readAll();
      appendFileSync(path, second.map((each) => `${each}\n`).join(""));
      const wanted = [...first, ...second].filter(
        (each) => each !== "" && Buffer.byteLength(each) <= sizes.maxLineBytes,
      );
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

test.each([63, 64])("a line of %i bytes is read when 64 are allowed", (bytes) => {
  writeFileSync(path, `${"a".repeat(bytes)}\nend\n`);
  expect(readAll().lines).toEqual(["a".repeat(bytes), "end"]);
});

test.each([65, 66, 300])("a line of %i bytes is skipped when 64 are allowed", (bytes) => {
  writeFileSync(path, `${"b".repeat(bytes)}\nend\n`);
  expect(readAll().lines).toEqual(["end"]);
});

test("a line that grows without an end is read once, in parts", () => {
  const partBytes = 64 * 1024 * 1024;
  const large = { chunkBytes: 1024 * 1024, maxLineBytes: 4 * 1024 * 1024 };
  const read = (offset: number) => readLinesFrom(path, offset, large);
  writeFileSync(path, "one\n");
  truncateSync(path, 3 * partBytes);
  let offset = 0;
  for (let hasMore = true; hasMore;) {
    const part = read(offset) ?? { offset: 0, hasMore: false };
    expect(part.offset - offset).toBeLessThanOrEqual(partBytes + large.maxLineBytes + 1);
    ({ offset, hasMore } = part);
  }
  expect(offset).toBe(3 * partBytes);
  truncateSync(path, 3 * partBytes + 5);
  expect(read(offset)).toEqual({ lines: [], offset: offset + 5, hasMore: false, beganInLine: true });
  appendFileSync(path, "its end\ntwo\n");
  const rest = read(offset + 5);
  expect(rest).toEqual({ lines: [], offset: offset + 13, hasMore: true, beganInLine: true });
  expect(read(rest?.offset ?? 0)).toMatchObject({ lines: ["two"], hasMore: false });
});

test("a reading that begins inside a line skips its rest", () => {
  writeFileSync(path, "one\ntwo\nthree\n");
  expect(readAll(5).lines).toEqual(["three"]);
});

test("a missing file is undefined, and a file that has become shorter has no new lines", () => {
  expect(readLinesFrom(join(folder, "none"), 0, sizes)).toBeUndefined();
  writeFileSync(path, "x\n");
  expect(readLinesFrom(path, 10, sizes)).toEqual({ lines: [], offset: 10, hasMore: false });
});
