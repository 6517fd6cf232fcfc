import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createStartedList } from "../../../src/system/process/started.ts";

it.runIf(process.platform === "linux")(
  "lists each process once that has started since, with its arguments",
  async () => {
    const list = createStartedList();
    const sinceMs = Date.now();
    const isOwn = ({ parentPid }: { parentPid: number }): boolean => parentPid === process.pid;
    const before = list(sinceMs, Date.now()).filter(isOwn);
    const child = spawn("sleep", ["61.5"], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const found = [...before];
    while (!found.some(({ pid }) => pid === child.pid)) {
      await sleep(10);
      found.push(...list(sinceMs, Date.now()).filter(isOwn));
    }
    const own = found.filter(({ pid }) => pid === child.pid);
    expect(own).toEqual([
      { pid: child.pid, parentPid: process.pid, startedAt: expect.any(Number) as number, argv: ["sleep", "61.5"] },
    ]);
    expect(Math.abs((own[0]?.startedAt ?? 0) - sinceMs)).toBeLessThan(10_000);
    expect(list(sinceMs, Date.now()).some(({ pid }) => pid === child.pid)).toBe(false);
  },
);

it("knows no processes elsewhere than on Linux", () => {
  expect(createStartedList("darwin")(0, Date.now())).toEqual([]);
});
