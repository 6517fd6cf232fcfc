// Finds and ends processes by a variable of their environment: each process hands it on to those that it starts.
import { readdirSync } from "node:fs";
import { othersTurn } from "../clock.ts";
import { readIfThere } from "../files/read.ts";
import { readStat } from "./facts.ts";

/** A process may start another one before its signal arrives, so several looks are needed. */
const maxLooks = 200;

/**
 * Ends all processes but this one that were started with the variable, also those that have left the group or the session,
 * and resolves when they have gone. Finds none elsewhere than on Linux, where no file shows the environment.
 */
export async function endMarked(name: string, value: string): Promise<void> {
  for (let look = 0; look < maxLooks; look += 1) {
    const pids = findMarked(`${name}=${value}`);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process has ended in the meantime.
      }
    }
    await othersTurn();
  }
}

/** Whether a process of this group was started with the variable. Always false elsewhere than on Linux. */
export function markedInGroup(name: string, value: string, group: number): boolean {
  return findMarked(`${name}=${value}`).some((pid) => {
    const stat = readStat(pid);
    return stat?.group === group && stat.state !== "Z";
  });
}

/** https://man7.org/linux/man-pages/man5/proc_pid_environ.5.html: empty for a process that has ended. */
function findMarked(marker: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((each) => {
    const pid = Number(each);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      return readIfThere(`/proc/${pid}/environ`)?.split("\0").includes(marker) === true ? [pid] : [];
    } catch {
      // The process has ended, or is another user's.
      return [];
    }
  });
}
