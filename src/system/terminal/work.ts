// Signs of an agent's work: its transcript grows, its processes use the processor.
import type { AgentTerminal } from "../../model/places/agent-terminal.ts";
import { statIfThere } from "../files/files.ts";
import { isStillThere } from "./find-terminal.ts";
import { listProcesses } from "../process/facts.ts";

/** Times are milliseconds since the epoch; absent fields are unknown. */
export interface ObservedWork {
  transcriptGrewAt?: number | undefined;
  lastBusyAt?: number | undefined;
  isGone?: boolean | undefined;
}

/** A spinner takes less. */
const busyShare = 0.05;
/** What each process had used of the processor when it was last looked at, by its id. */
export type WorkLooks = Map<number, { at: number; cpuMs: number }>;

export function observeWork(
  transcript: string | undefined,
  terminal: AgentTerminal | undefined,
  looks: WorkLooks,
  nowMs: number,
): ObservedWork {
  const transcriptGrewAt = transcript === undefined ? undefined : statIfThere(transcript)?.mtimeMs;
  if (terminal === undefined) return { transcriptGrewAt };
  const isGone = !isStillThere(terminal);
  return { transcriptGrewAt, isGone, lastBusyAt: isGone ? undefined : lastBusyAt(terminal.pid, looks, nowMs) };
}

/** At the first look, the agent counts as busy. */
function lastBusyAt(pid: number, looks: WorkLooks, nowMs: number): number | undefined {
  const cpuMs = cpuMsOf(pid);
  if (cpuMs === undefined) return undefined;
  const last = looks.get(pid);
  looks.set(pid, { at: nowMs, cpuMs });
  if (last === undefined || nowMs <= last.at) return nowMs;
  return (cpuMs - last.cpuMs) / (nowMs - last.at) >= busyShare ? nowMs : undefined;
}

/** All that the process has started counts as well. */
function cpuMsOf(root: number): number | undefined {
  const processes = listProcesses();
  if (processes.get(root)?.cpuMs === undefined) return undefined;
  const isOfFamily = (pid: number): boolean => {
    const seen = new Set<number>();
    for (let next = pid; next > 1 && !seen.has(next); next = processes.get(next)?.parentPid ?? 0) {
      if (next === root) return true;
      seen.add(next);
    }
    return false;
  };
  return [...processes].reduce((sum, [pid, { cpuMs = 0 }]) => sum + (isOfFamily(pid) ? cpuMs : 0), 0);
}
