// Processes that have started lately, with their arguments.
import { readdirSync } from "node:fs";
import { readIfThere } from "../files/read.ts";
import { argumentsOf, ownAgeMs, readStat, ticksPerSecond } from "./facts.ts";

export interface StartedProcess {
  pid: number;
  parentPid: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  argv: string[];
}

/** The processes that have started since a time and were not returned before; `nowMs` is that time's clock. */
export type ListStarted = (sinceMs: number, nowMs: number) => StartedProcess[];

/** A new process is a copy of its parent until it runs its own program. */
const ripeAfterMs = 30;

/** Linux only: elsewhere it finds none. */
export function createStartedList(platform: NodeJS.Platform = process.platform): ListStarted {
  if (platform !== "linux") return () => [];
  let known: ReadonlySet<number> = new Set();
  let newestPid: string | undefined;
  return (sinceMs, nowMs) => {
    const pid = lastPid();
    if (pid !== undefined && pid === newestPid) return [];
    newestPid = pid;
    const uptimeMs = uptimeOfOwnClock();
    const seen = new Set<number>();
    const started: StartedProcess[] = [];
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      if (known.has(pid)) seen.add(pid);
      if (known.has(pid)) continue;
      const stat = readStat(pid);
      if (stat === undefined || uptimeMs === undefined) continue;
      const ageMs = uptimeMs - (stat.startTicks / ticksPerSecond) * 1000;
      if (ageMs < ripeAfterMs) newestPid = undefined;
      if (ageMs < ripeAfterMs) continue;
      seen.add(pid);
      const startedAt = nowMs - ageMs;
      if (startedAt > sinceMs)
        started.push({ pid, parentPid: stat.parentPid, startedAt, argv: argumentsOf(pid) ?? [] });
    }
    known = seen;
    return started;
  };
}

/** The id that was given last, in the same container: https://man7.org/linux/man-pages/man5/proc_loadavg.5.html */
function lastPid(): string | undefined {
  const [pid = "0"] = readIfThere("/proc/loadavg")?.trim().split(" ").slice(-1) ?? [];
  return pid === "0" ? undefined : pid;
}

/** On the clock of `startTicks`, which in a container is not the one of /proc/uptime. */
function uptimeOfOwnClock(): number | undefined {
  const own = readStat(process.pid);
  return own && (own.startTicks / ticksPerSecond) * 1000 + ownAgeMs();
}
