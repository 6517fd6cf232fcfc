import { describe, expect, it } from "vitest";
import { renameWithRetry } from "../../../src/system/files/files.ts";
import { everyRow } from "../../support/rows.ts";

/** Renames that fail so often with this code, and what was done. */
function effects(platform: NodeJS.Platform, failures: number, code: string) {
  const done = { tries: 0, pausedMs: 0 };
  const rename = (): void => {
    done.tries += 1;
    if (done.tries <= failures) throw Object.assign(new Error(code), { code });
  };
  return { done, rename, pause: (ms: number) => void (done.pausedMs += ms), platform };
}

describe("a rename", () => {
  it("is tried again on Windows alone, while a reader may hold the file", () =>
    everyRow<[NodeJS.Platform, number, string, number, boolean]>(
      [
        ["linux", 0, "", 1, true],
        ["win32", 0, "", 1, true],
        ["win32", 3, "EPERM", 4, true],
        ["win32", 5, "EBUSY", 6, true],
        ["win32", 7, "EACCES", 8, true],
        ["win32", Infinity, "EPERM", 8, false],
        ["win32", Infinity, "ENOENT", 1, false],
        ["win32", Infinity, "ENOSPC", 1, false],
        ["linux", Infinity, "EPERM", 1, false],
        ["darwin", Infinity, "EACCES", 1, false],
      ],
      ([platform, failures, code, tries, isDone]) => {
        const { done, ...given } = effects(platform, failures, code);
        const rename = (): void => renameWithRetry("a", "b", given);
        if (isDone) rename();
        else expect(rename).toThrow(code);
        expect(done.tries).toBe(tries);
        expect(done.pausedMs).toBeLessThan(1000);
      },
      (row) => JSON.stringify(row),
    ));
});
