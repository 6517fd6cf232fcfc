import { readFileSync, readlinkSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { codeOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";

/** This machine's name, without the domain. */
export function hostName(): string {
  return hostname().split(".")[0] || "localhost";
}

/** Names the set of process ids that this process is in, as far as the system tells; empty where it does not. */
export function pidSpace(): string {
  if (process.platform !== "linux") return "";
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/**
 * Lets this process be known as hookbell's, in lists of processes and by the shell's hook: the system keeps the beginning
 * in `/proc/<pid>/comm`. Only Linux has that.
 */
export function nameOwnProcess(): void {
  if (process.platform === "linux") process.title = ["hookbell", ...process.argv.slice(1)].join(" ");
}

/** This process's id. */
export const ownPid: number = process.pid;

/** The process that started this one, and the one that started that: agents run hooks in a shell that soon ends. */
export function callerPids(): number[] {
  const pids = [process.ppid];
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "latin1");
    // Behind the program's name in brackets: the state, the parent.
    pids.push(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  } catch {
    // Only Linux says it so easily.
  }
  return pids;
}

/** Whether a process of this machine runs; one of another user counts. */
export function isAlive(pid: number): boolean {
  // To the system, 0 and what is below stand for groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return !isZombie(pid);
}

/** In a container whose first process reaps no children, a killed process can still be signalled. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.charAt(stat.lastIndexOf(")") + 2) === "Z";
  } catch {
    return false;
  }
}

/** Whether the superuser stands in for the owner of this folder: `sudo` leaves HOME as it is on macOS, and with `-E`. */
export function isBehindSudo(home: string, { SUDO_UID }: Environment): boolean {
  const uid = Number(SUDO_UID ?? "0");
  if (uid === 0 || process.getuid?.() !== 0) return false;
  try {
    return statSync(home).uid === uid;
  } catch {
    return false;
  }
}
