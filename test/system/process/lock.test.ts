import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../../src/system/clock.ts";
import { dropClaim, readClaim, takeLock } from "../../../src/system/process/lock.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
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

describe("takeLock", () => {
  let dir: string;
  let path: string;
  let clock: Clock;
  beforeEach(() => {
    dir = temporaryFolder();
    path = join(dir, "lock");
    let now = Date.now();
    clock = {
      now: () => now,
      after(delayMs, callback) {
        now += delayMs;
        setImmediate(callback);
        return () => {};
      },
    };
  });

  const take = (waitMs = 0): ReturnType<typeof takeLock> =>
    takeLock(path, { clock, waitMs, staleMs: 10_000, signal: new AbortController().signal });

  it("gives the turn to one at a time, and leaves nothing behind", async () => {
    const giveBack = await take();
    expect(giveBack).toBeDefined();
    expect(await take(1000)).toBeUndefined();
    giveBack?.();
    const again = await take();
    again?.();
    expect(again).toBeDefined();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("waits until the turn is given back", async () => {
    const giveBack = await take();
    const waiting = take(60_000);
    setImmediate(() => giveBack?.());
    expect(await waiting).toBeDefined();
  });

  it("lets many in one after the other", async () => {
    let inside = 0;
    let most = 0;
    const enter = async (): Promise<void> => {
      const giveBack = await take(600_000);
      most = Math.max(most, (inside += 1));
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      giveBack?.();
    };
    await Promise.all(Array.from({ length: 8 }, enter));
    expect(most).toBe(1);
  });

  it.each([
    ["of a dead process", () => `${deadPid} x`, 0],
    ["that says nothing", () => "", 0],
    ["that is overdue", () => `${process.pid} x`, -11_000],
  ])("takes away a lock %s", async (_what, content, ageMs) => {
    writeFileSync(path, content());
    const at = (clock.now() + ageMs) / 1000;
    utimesSync(path, at, at);
    const giveBack = await take(1000);
    expect(giveBack).toBeDefined();
    giveBack?.();
    expect(readdirSync(dir)).toEqual([]);
  });

  it("does not give back what another has taken over", async () => {
    const giveBack = await take();
    writeFileSync(path, "1 another");
    giveBack?.();
    expect(readdirSync(dir)).toEqual(["lock"]);
  });

  it("stops when told to, and throws where it cannot write", async () => {
    const options = { clock, waitMs: 1000, staleMs: 1000, signal: AbortSignal.abort() };
    expect(await takeLock(path, options)).toBeUndefined();
    await expect(
      takeLock(join(dir, "no", "lock"), { ...options, signal: new AbortController().signal }),
    ).rejects.toThrow("ENOENT");
  });
});
