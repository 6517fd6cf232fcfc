// Process ids, host name, and whether a process runs.
import { readlinkSync, statSync } from "node:fs";
import { hostname, networkInterfaces, userInfo } from "node:os";
import { codeOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { bootId, readStat, type LookAtProcess, type ProcessFacts, processLook } from "./facts.ts";

/** The domain is cut off. */
export function hostName(): string {
  return hostname().split(".")[0] || "localhost";
}

/** This machine's addresses in its networks, IPv4 only. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ address, family, internal }) => (family === "IPv4" && !internal ? [address] : [])),
  );
}

export function userName(env: Environment): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return env.USER ?? env.USERNAME ?? "user";
  }
}

/** Empty where the system does not say. */
export function pidSpace(): string {
  if (process.platform !== "linux") return "";
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** The shell hook reads `/proc/<pid>/comm`. Linux only. */
export function nameOwnProcess(): void {
  if (process.platform === "linux") process.title = ["hookbell", ...process.argv.slice(1)].join(" ");
}

export const ownPid: number = process.pid;

/** Agents run hooks in a shell that soon ends. */
export function callerPids(): number[] {
  const grandparent = readStat(process.ppid)?.parentPid;
  return grandparent === undefined ? [process.ppid] : [process.ppid, grandparent];
}

export function isAlive(pid: number): boolean {
  // A process that has ended can be signalled until its parent reads its exit code.
  return canBeSignalled(pid) && readStat(pid)?.state !== "Z";
}

/** Whether there is a process with this id; it may have ended while its parent has not read its exit code. */
export function canBeSignalled(pid: number): boolean {
  // kill(2) reads 0 and negative ids as process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return true;
}

/**
 * Tells a process from every other one with the same id, also one of an earlier boot: Linux counts starts from the boot. Undefined
 * for a process that is gone, and on Windows.
 */
export function markOf(pid: number): string | undefined {
  const start = processLook()(pid)?.start;
  return start === undefined || process.platform !== "linux" ? start : `${start} ${bootId() ?? ""}`;
}

/** `mark` is that of `markOf`, or only the start, as 1.0.0-rc.1 wrote it. */
export function isSameProcess({ pid, mark }: { pid: number; mark: string }): boolean {
  const now = isAlive(pid) ? markOf(pid) : undefined;
  return now !== undefined && (now === mark || (!mark.includes(" ") && now.startsWith(`${mark} `)));
}

/** Whether it is still the process that began then: process ids are reused. An empty start is not known, as on Windows. */
export function isStillRunning({ pid, start }: { pid: number; start: string }, look?: LookAtProcess): boolean {
  if (start === "") return isAlive(pid);
  if (process.platform !== "linux") return isAlive(pid) && (look ?? processLook())(pid)?.start === start;
  const stat = readStat(pid);
  return stat !== undefined && stat.state !== "Z" && String(stat.startTicks) === start;
}

/** The start in the system's own unit. Undefined elsewhere than on Linux, where only another program could tell. */
export function startOf(pid: number): string | undefined {
  const ticks = readStat(pid)?.startTicks;
  return ticks === undefined ? undefined : String(ticks);
}

/**
 * The owner of a home in which the superuser would leave files that its owner's agents cannot use: with `sudo -E`, with
 * sudo on macOS, or with `su` without `-`. Undefined for every other user, and in the superuser's own home.
 */
export function foreignOwner(home: string): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const { uid } = statSync(home);
    return uid === 0 ? undefined : uid;
  } catch {
    return undefined;
  }
}

export interface ProcessInChain extends ProcessFacts {
  pid: number;
}

const maxAncestors = 64;

/** The process first. Ends where the system shows no more; empty on Windows. */
export function ancestryOf(pid: number, look: LookAtProcess = processLook()): ProcessInChain[] {
  const chain: ProcessInChain[] = [];
  for (let next = pid; next > 0 && chain.length < maxAncestors;) {
    const facts = look(next);
    if (facts === undefined) break;
    chain.push({ pid: next, ...facts });
    next = facts.parentPid;
  }
  return chain;
}

export function ownAncestry(): ProcessInChain[] {
  return ancestryOf(ownPid);
}
