import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isSameProcess, markOf, ownPid, startOf } from "../../../src/system/process/identity.ts";

it.runIf(process.platform !== "win32")(
  "a process is known by its start and its boot, and by its start where 1.0.0-rc.1 wrote that",
  () => {
    const mark = markOf(ownPid) ?? "";
    const [start = ""] = mark.split(" ");
    expect(isSameProcess({ pid: ownPid, mark })).toBe(true);
    expect(isSameProcess({ pid: process.ppid, mark })).toBe(false);
    if (process.platform !== "linux") return;
    expect(start).toBe(startOf(ownPid));
    expect(isSameProcess({ pid: ownPid, mark: start })).toBe(true);
    expect(isSameProcess({ pid: ownPid, mark: `${start} of-another-boot` })).toBe(false);
    expect(isSameProcess({ pid: ownPid, mark: start.slice(0, -1) })).toBe(false);
  },
);

it.runIf(process.platform !== "win32")("a process that has ended is no longer the same", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  const [pid, mark] = [child.pid ?? 0, markOf(child.pid ?? 0) ?? ""];
  expect(isSameProcess({ pid, mark })).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isSameProcess({ pid, mark })).toBe(false);
});
