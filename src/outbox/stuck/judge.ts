// Decides whether a dispatcher that no longer renews its lease hangs, so that the next one may end it.
import type { ProcessUse } from "../../system/process/use.ts";
import type { LeaseHolder } from "../lease/lease.ts";

/** Where this process runs. */
export interface Here {
  pid: number;
  host: string;
  pidSpace: string;
}

/** The process at the beginning of the time in which it was watched, and now; undefined where the system says nothing. */
export interface Watched {
  first: ProcessUse | undefined;
  last: ProcessUse | undefined;
  /** The lease was renewed, or another process has it, or it is released. */
  isOver: boolean;
}

/**
 * `stuck`: it may be ended. `over`: there is nothing to end any more. `elsewhere`, `unknown`: it cannot be said whether this process
 * is the one that took the lease. `suspended`. `quiet`: it has used too little of the processor so far.
 */
export type HolderCondition = "stuck" | "over" | "elsewhere" | "unknown" | "suspended" | "quiet";

/**
 * A dispatcher that was suspended, or whose machine slept, renews its lease as soon as it goes on. One that has used the processor for
 * so long and has not renewed it is at one thing that does not end.
 */
export const stuckAfterCpuMs = 2000;

/** `ps` shows a start in whole seconds. */
const bornToleranceMs = 2000;

export function judge(holder: LeaseHolder, here: Here, { first, last, isOver }: Watched): HolderCondition {
  if (isOver) return "over";
  if (holder.host !== here.host || holder.pidSpace !== here.pidSpace || holder.pid === here.pid) return "elsewhere";
  if (first === undefined || last === undefined) return "unknown";
  if (!isHolder(holder, first) || !isHolder(holder, last)) return "unknown";
  if (last.isSuspended) return "suspended";
  return last.cpuMs - first.cpuMs >= stuckAfterCpuMs ? "stuck" : "quiet";
}

/** Another process may have its number. */
function isHolder(holder: LeaseHolder, process: ProcessUse): boolean {
  if (process.start !== undefined) {
    if (holder.start !== process.start) return false;
    // Leases of 1.0.0-rc.1 name no boot. A dispatcher calls itself hookbell.
    return holder.boot === undefined ? process.name?.startsWith("hookbell") === true : holder.boot === process.boot;
  }
  if (holder.bornAt === undefined || process.bornAt === undefined) return false;
  return Math.abs(holder.bornAt - process.bornAt) <= bornToleranceMs;
}
