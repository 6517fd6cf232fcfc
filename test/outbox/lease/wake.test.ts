// A hook starts a dispatcher unless one runs or is coming up.
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { ensureLayout, layoutOf } from "../../../src/outbox/layout.ts";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { clearStartingMark, holdStartingMark, isBeingStarted, wakeDispatcher } from "../../../src/outbox/lease/wake.ts";
import { ownPid } from "../../../src/system/process/identity.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
import { describeWithParts } from "../../support/parts.ts";
import { mountParts, mountSmallDisk } from "../../support/project/small-disk.ts";
import { temporaryFolder, temporaryState } from "../../support/project/temporary-state.ts";

function prepare(layout = temporaryState(), startedIn = layout.root) {
  const clock = createFakeClock(Date.now());
  const started = join(startedIn, "started");
  const code = "fs.appendFileSync(process.argv[1], process.pid + '\\n'); setTimeout(() => {}, 30_000)";
  const argv = [process.execPath, "-e", code, started] as const;
  const env = { PATH: process.env.PATH };
  const wake = () => wakeDispatcher(layout, { argv: [...argv], env, nowMs: clock.now() });
  const mark = `${layout.lease}.starting`;
  const markedBy = (text: string, atMs: number) => {
    writeFileSync(mark, text);
    utimesSync(mark, atMs / 1000, atMs / 1000);
  };
  return { layout, clock, wake, mark, markedBy, started };
}

it("none is started where one has the lease, and why that one can send nothing is said", () => {
  const { layout, clock, wake, mark } = prepare();
  const lease = takeLease(layout, clock);
  expect(wake()).toBeUndefined();
  lease?.setTrouble("the disk is full");
  expect(wake()).toBe("the disk is full");
  expect(existsSync(mark)).toBe(false);
});

it("one is started in the state folder, and no other one while it comes up", async () => {
  const { layout, clock, wake, mark, started } = prepare();
  wake();
  const pid = Number(readFileSync(mark, "utf8"));
  try {
    expect(pid).not.toBe(ownPid);
    expect(isBeingStarted(layout, clock.now())).toBe(true);
    wake();
    await vi.waitFor(() => expect(readFileSync(started, "utf8")).toBe(`${pid}\n`), 20_000);
    expect(Number(readFileSync(mark, "utf8"))).toBe(pid);
  } finally {
    process.kill(pid, "SIGKILL");
  }
});

it("a mark says that one comes up for five seconds, if its process lives or is not yet named", () => {
  const { layout, clock, markedBy } = prepare();
  const now = clock.now();
  expect(isBeingStarted(layout, now)).toBe(false);
  for (const [text, atMs, expected] of [
    [`${ownPid}\n`, now, true],
    ["", now, true],
    [`${deadPid}\n`, now, false],
    [`${ownPid}\n`, now - 4999, true],
    [`${ownPid}\n`, now - 5001, false],
    [`${ownPid}\n`, now + 5001, false],
  ] as const) {
    markedBy(text, atMs);
    expect(isBeingStarted(layout, now)).toBe(expected);
  }
});

it("the mark of one that never came up is no obstacle", async () => {
  const { wake, mark, markedBy, clock } = prepare();
  markedBy(`${deadPid}\n`, clock.now());
  wake();
  const pid = Number(readFileSync(mark, "utf8"));
  expect([deadPid, ownPid]).not.toContain(pid);
  process.kill(pid, "SIGKILL");
});

it("a dispatcher that comes up holds its mark until it has the lease", () => {
  const { layout, clock, markedBy, mark } = prepare();
  holdStartingMark(layout, clock.now());
  expect(readFileSync(mark, "utf8")).toBe(`${ownPid}\n`);
  markedBy("123\n", clock.now() - 60_000);
  holdStartingMark(layout, clock.now());
  expect(readFileSync(mark, "utf8")).toBe("123\n");
  markedBy(`${ownPid}\n`, clock.now() - 60_000);
  holdStartingMark(layout, clock.now());
  expect(isBeingStarted(layout, clock.now())).toBe(true);
  clearStartingMark(layout);
  expect([existsSync(mark), isBeingStarted(layout, clock.now())]).toEqual([false, false]);
});

describeWithParts("a hook on a full disk", mountParts, () => {
  it("starts a dispatcher without a mark", async () => {
    const layout = layoutOf(temporaryFolder());
    const disk = mountSmallDisk(layout.root);
    ensureLayout(layout);
    const { wake, mark, started } = prepare(layout, temporaryFolder());
    disk.fill();
    expect(wake()).toBeUndefined();
    await vi.waitFor(() => expect(readFileSync(started, "utf8")).toMatch(/^\d+\n$/), 20_000);
    process.kill(Number(readFileSync(started, "utf8")), "SIGKILL");
    expect(existsSync(mark) ? readFileSync(mark, "utf8") : "").toBe("");
  });
});

it("what cannot be written for another reason is told", () => {
  const { layout, wake } = prepare();
  rmSync(layout.root, { recursive: true });
  writeFileSync(layout.root, "");
  // Windows says no more than that there is no such path.
  expect(wake).toThrow(process.platform === "win32" ? /ENOENT/ : /ENOTDIR/);
});
