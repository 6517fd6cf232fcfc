import { readdirSync, statSync } from "node:fs";
import type { Environment } from "./environment.ts";
import { runProcess } from "./processes.ts";

const lsofTimeoutMs = 5000;

/**
 * Signals every process whose standard output is this file; how many there were, or undefined when this system does not
 * say. Nobody else can be hit, since no process id is remembered.
 */
export async function endWriters(path: string, signal: NodeJS.Signals, env: Environment): Promise<number | undefined> {
  const pids = process.platform === "linux" ? findInProc(path) : await askLsof(path, env);
  if (pids === undefined) return undefined;
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
  return pids.length;
}

function findInProc(path: string): number[] | undefined {
  const wanted = statSync(path, { throwIfNoEntry: false });
  if (wanted === undefined) return [];
  let names: string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return names.map(Number).filter((pid) => {
    try {
      const { dev, ino } = statSync(`/proc/${pid}/fd/1`);
      return pid !== process.pid && dev === wanted.dev && ino === wanted.ino;
    } catch {
      // It has ended, or is another person's.
      return false;
    }
  });
}

/** macOS has it; untried there. */
async function askLsof(path: string, env: Environment): Promise<number[] | undefined> {
  // `-a -d 1`: with it as standard output; `-t`: nothing but process ids.
  const asked = await runProcess({ argv: ["lsof", "-t", "-a", "-d", "1", "--", path], env, timeoutMs: lsofTimeoutMs });
  if (asked.status !== "exited") return undefined;
  return asked.stdout
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
}
