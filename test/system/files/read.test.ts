import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readBytesIfThere, readFrom, readIfThere, readStartIfThere } from "../../../src/system/files/read.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

it("reads a file whole, its start, and what was added to it", () => {
  const path = join(temporaryFolder(), "file");
  expect([readIfThere(path), readBytesIfThere(path), readStartIfThere(path, 3)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(readFrom(path, 0)).toEqual({ text: "", bytes: 0 });
  writeFileSync(path, "");
  expect([readIfThere(path), readStartIfThere(path, 3)?.toString()]).toEqual(["", ""]);
  const text = "a line\n".repeat(20_000);
  writeFileSync(path, text);
  expect(readIfThere(path)).toBe(text);
  expect(readStartIfThere(path, 3)?.toString()).toBe("a l");
  appendFileSync(path, "more");
  expect(readFrom(path, text.length)).toEqual({ text: "more", bytes: text.length + 4 });
});

it.each<[string, (path: string) => void]>([
  ["a pipe (posix)", (path) => execFileSync("mkfifo", [path])],
  ["a device (posix)", (path) => symlinkSync("/dev/zero", path)],
  ["a folder", (path) => mkdirSync(path)],
])("refuses at once %s", (_name, make) => {
  const path = join(temporaryFolder(), "thing");
  make(path);
  for (const read of [
    readIfThere,
    readBytesIfThere,
    (at: string) => readStartIfThere(at, 3),
    (at: string) => readFrom(at, 0),
  ]) {
    expect(() => read(path)).toThrow("is not a regular file");
  }
});
