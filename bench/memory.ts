import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { stopping } from "./stopping.ts";

/** Until a process that has just started has come to rest. */
const restMs = 1500;

/** What a process has in memory now. */
export function residentMegabytes(pid: number): number {
  const kilobytes =
    process.platform === "linux"
      ? /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", `${pid}`], { encoding: "utf8" });
  return Number(kilobytes) / 1024;
}

export async function idleMegabytes(pid: number): Promise<number> {
  await sleep(restMs);
  stopping.throwIfAborted();
  return residentMegabytes(pid);
}

/** A Node that waits and does nothing. */
export async function idleNodeMegabytes(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  try {
    return await idleMegabytes(child.pid ?? 0);
  } finally {
    child.kill("SIGKILL");
  }
}
