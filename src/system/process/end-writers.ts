// Ends processes that write to a file.
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { Environment } from "../environment.ts";
import { readStat } from "./facts.ts";
import { runProcess } from "./run.ts";

const lsofTimeoutMs = 5000;

interface Writer {
  pid: number;
  parentPid: number;
}

/**
 * Resolves to how many write to the file or, like its hook's shell, are yet to do something with it; undefined when this
 * system does not say. Spares the shell, and the parent of another writer, which is a shell that has another number here.
 */
export async function endWriters(
  path: string,
  { signal, shell, env }: { signal: NodeJS.Signals; shell: number | undefined; env: Environment },
): Promise<number | undefined> {
  const writers = process.platform === "linux" ? findInProc(path) : await askLsof(path, env);
  if (writers === undefined) return undefined;
  for (const { pid } of writers) {
    if (pid === shell || writers.some(({ parentPid }) => parentPid === pid)) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isShellAtWork = shell !== undefined && isHook(shell) && !writers.some(({ pid }) => pid === shell);
  return writers.length + (isShellAtWork ? 1 : 0);
}

/** Another process may have the number by now, which only Linux tells. */
function isHook(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("\0--agent");
  } catch {
    return false;
  }
}

function findInProc(path: string): Writer[] | undefined {
  const wanted = statSync(path, { throwIfNoEntry: false });
  if (wanted === undefined) return [];
  let names: string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  return names.flatMap((name) => {
    try {
      const { dev, ino } = statSync(`/proc/${name}/fd/1`);
      if (dev !== wanted.dev || ino !== wanted.ino) return [];
      const stat = readStat(Number(name));
      return stat === undefined ? [] : [{ pid: Number(name), parentPid: stat.parentPid }];
    } catch {
      return [];
    }
  });
}

/** macOS has lsof; this was not tried there. `-a -d 1`: standard output; `-F pR`: lines of ids and parents. */
export function lsofCommand(path: string): [string, ...string[]] {
  return ["lsof", "-F", "pR", "-a", "-d", "1", "--", path];
}

async function askLsof(path: string, env: Environment): Promise<Writer[] | undefined> {
  const asked = await runProcess({ argv: lsofCommand(path), env, timeoutMs: lsofTimeoutMs });
  return asked.status === "exited" ? readLsof(asked.stdout) : undefined;
}

export function readLsof(text: string): Writer[] {
  const pairs = [...text.matchAll(/^p(\d+)\nR(\d+)$/gm)];
  return pairs.map(([, pid, parentPid]) => ({ pid: Number(pid), parentPid: Number(parentPid) }));
}
