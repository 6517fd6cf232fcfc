// Process ids, host name, and whether a process runs.
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { codeOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";

/** Without the domain. */
export function hostName(): string {
  return hostname().split(".")[0] || "localhost";
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
  const pids = [process.ppid];
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "latin1");
    // After the program's name in brackets: state, parent.
    pids.push(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  } catch {
    // Not Linux.
  }
  return pids;
}

export function isAlive(pid: number): boolean {
  // kill(2) reads 0 and negative ids as process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return !isZombie(pid);
}

/** A dead process can still be signalled. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.charAt(stat.lastIndexOf(")") + 2) === "Z";
  } catch {
    return false;
  }
}

/** It keeps HOME on macOS, and with `-E`. */
export function isBehindSudo(home: string, { SUDO_UID }: Environment): boolean {
  const uid = Number(SUDO_UID ?? "0");
  if (uid === 0 || process.getuid?.() !== 0) return false;
  try {
    return statSync(home).uid === uid;
  } catch {
    return false;
  }
}
