import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dropClaim, readClaim } from "../../../src/system/files/lock.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const at = (ms: number): number => 1_700_000_000 + ms / 1000;

function place(text: string): string {
  const path = join(temporaryFolder(), "claim");
  writeFileSync(path, text);
  utimesSync(path, at(0), at(0));
  return path;
}

describe("a stale claim", () => {
  it("is taken away, and leaves nothing behind", () => {
    const path = place("old");
    dropClaim(path, { text: "old", mtimeMs: at(0) * 1000 }, 0);
    expect(readdirSync(join(path, ".."))).toEqual([]);
    dropClaim(path, { text: "old", mtimeMs: at(0) * 1000 }, 0);
    expect(readClaim(path)).toBeUndefined();
  });

  it.each([
    ["replaced", "new", 0],
    ["renewed", "old", 5000],
  ])("that was %s in that instant stays, with its time", (_what, text, ms) => {
    const path = place("old");
    const stale = readClaim(path);
    writeFileSync(path, text);
    utimesSync(path, at(ms), at(ms));
    dropClaim(path, stale ?? { text: "", mtimeMs: 0 }, 0);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(statSync(path).mtimeMs).toBe(at(ms) * 1000);
    expect(readdirSync(join(path, ".."))).toEqual(["claim"]);
  });
});
