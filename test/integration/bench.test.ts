// The bench leaves nothing behind, whenever it is ended.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { longestWaitMs } from "../support/longest-wait.ts";
import { describeWithParts } from "../support/parts.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const benchPath = resolve(import.meta.dirname, "../../dist/bench.mjs");

describeWithParts("npm run bench", ["ps"], () => {
  it.each([
    [["--help"], 0, /^usage: npm run bench \[-- /, /^$/],
    [["--rounds"], 64, /^$/, /^bench takes no "--rounds"\n\nusage: npm run bench \[-- /],
  ])("%j measures nothing, and each flag is explained", (args, code, stdout, stderr) => {
    const ended = spawnSync(process.execPath, [benchPath, ...args], { encoding: "utf8", timeout: longestWaitMs });
    expect(ended.status).toBe(code);
    expect(ended.stdout).toMatch(stdout);
    expect(ended.stderr).toMatch(stderr);
    const [, flags = "", meaning = ""] = /^usage: .* \[-- (.*)\]\n([^]*)/m.exec(ended.stdout + ended.stderr) ?? [];
    const named = flags.match(/--[a-z]+/g) ?? [];
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((flag) => !meaning.includes(`${flag} `))).toEqual([]);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("ended by %s leaves neither processes nor folders", async (signal, code) => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, [benchPath], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, "close");
    const states = (): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" });
    // A dispatcher is at work.
    await expect.poll(() => states().filter((path) => path.endsWith(join("state", "lease"))).length).toBeGreaterThan(0);
    expect(commandsIn(folder).length).toBeGreaterThan(0);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    expect(said).toContain("stopping");
    expect(states()).toEqual([]);
    expect(commandsIn(folder)).toEqual([]);
    expect(childrenOf(child.pid ?? 0)).toEqual([]);
  });
});

/** Processes that were started with this folder in their environment. */
function commandsIn(folder: string): string[] {
  const { stdout } = spawnSync("ps", ["axeww", "-o", "pid=,stat=,args="], { encoding: "utf8", maxBuffer: 64 << 20 });
  return stdout.split("\n").filter((line) => line.includes(`TMPDIR=${folder}`) && !/^\s*\d+\s+Z/.test(line));
}

function childrenOf(pid: number): string[] {
  const { stdout } = spawnSync("ps", ["-eo", "ppid=,args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.trim().startsWith(`${pid} `));
}
