import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { createStartedList } from "../../../src/system/process/started.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

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

describeWithParts("a process that has slept with the machine", ["faketime"], () => {
  it("finds what starts afterwards", async () => {
    const outfile = join(temporaryFolder(), "late.mjs");
    const contents = `
      import { spawn, spawnSync } from "node:child_process";
      import { createStartedList } from "./started.ts";
      const list = createStartedList();
      const pass = (seconds) => spawnSync("sleep", [seconds], { env: { PATH: process.env.PATH } });
      pass("0.5");
      const late = spawn("sleep", ["60"], { env: { PATH: process.env.PATH } });
      let isFound = false;
      for (let tries = 0; tries < 25 && !isFound; tries += 1) {
        pass("0.2");
        isFound = list(-Infinity, 0).some(({ pid }) => pid === late.pid);
      }
      console.log(process.uptime() < 0.5, isFound);
      late.kill();`;
    const stdin = {
      contents,
      resolveDir: join(import.meta.dirname, "../../../src/system/process"),
      loader: "ts" as const,
    };
    await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
    // The clock that stands still while a machine sleeps hardly moves, and the kernel's own does.
    const env = { PATH: process.env.PATH, LD_PRELOAD: "/usr/$LIB/faketime/libfaketime.so.1", FAKETIME: "+0 x0.001" };
    expect(execFileSync(process.execPath, [outfile], { env, encoding: "utf8" })).toBe("true true\n");
  });
});
