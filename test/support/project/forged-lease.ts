// Leases that no dispatcher has written, and processes for them to name.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Layout } from "../../../src/outbox/layout.ts";
import { touch } from "../../../src/system/files/write.ts";
import { findPart } from "../parts.ts";
import { temporaryFolder } from "./temporary-state.ts";

export function forgeLease(
  layout: Layout,
  pid: number,
  mtimeMs: number,
  host = hostname().split(".")[0],
  more: object = {},
): void {
  mkdirSync(layout.root, { recursive: true });
  writeFileSync(layout.lease, JSON.stringify({ token: "forged", pid, host, startedAt: 1, ...more }));
  touch(layout.lease, mtimeMs);
}

/** A process that does nothing under the name of a dispatcher; the project's end kills the process that a lease names. */
export function livingPid(): number {
  // On Windows, a dispatcher knows no other program's name.
  if (process.platform === "win32") return sleeperPid(process.execPath, "-e", "setTimeout(() => {}, 600_000)");
  const program = join(temporaryFolder(), "hookbell");
  symlinkSync(findPart("sleep") ?? "", program);
  return sleeperPid(program, "600");
}

/** One that is no one's dispatcher. */
export function strangerPid(): number {
  return sleeperPid("sleep", "600");
}

function sleeperPid(program: string, ...args: string[]): number {
  const child = spawn(program, args, { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

/** No process has this number: Linux gives out none above 2^22, and the number of a process that has ended may be given out again. */
export const deadPid = 4_194_305;

/** A process that has ended and whose parent never asks: it keeps its number, and signals still reach it. Linux only. */
export async function zombiePid(): Promise<number> {
  // The shell's child outlives the shell's program, which `sleep` replaces.
  const parent = spawn("sh", ["-c", "sleep 0.1 & exec sleep 60"], { stdio: "ignore" });
  onTestFinished(() => void parent.kill("SIGKILL"));
  for (;;) {
    const pid = readdirSync("/proc").find((name) => isZombieOf(parent.pid ?? 0, name));
    if (pid !== undefined) return Number(pid);
    await sleep(20);
  }
}

function isZombieOf(parent: number, pid: string): boolean {
  if (!/^\d+$/.test(pid)) return false;
  try {
    return new RegExp(`\\) Z ${parent} `).test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
