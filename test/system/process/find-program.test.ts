import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProgram } from "../../../src/system/process/find-program.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookbell-find-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("findProgram", () => {
  it("takes the first that may be run (posix)", () => {
    for (const name of ["a", "b", "c"]) mkdirSync(join(dir, name));
    mkdirSync(join(dir, "a", "play"));
    writeFileSync(join(dir, "b", "play"), "", { mode: 0o644 });
    writeFileSync(join(dir, "c", "play"), "", { mode: 0o755 });
    const path = ["a", "b", "c"].map((name) => join(dir, name)).join(":");
    expect(findProgram("play", { PATH: path }, "linux")).toBe(join(dir, "c", "play"));
    expect(findProgram("other", { PATH: path }, "linux")).toBeUndefined();
  });

  it.each([["."], [""], ["bin:node_modules/.bin"], [undefined]])("never looks in the working folder: %j", (path) => {
    expect(findProgram("vitest", { PATH: path }, "linux")).toBeUndefined();
  });
});
