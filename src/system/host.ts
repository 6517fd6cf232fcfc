import { hostname } from "node:os";
import { codeOf } from "../model/errors.ts";

/** This machine's name, without the domain. */
export function hostName(): string {
  return hostname().split(".")[0] || "localhost";
}

/** This process's id. */
export const ownPid: number = process.pid;

/** Whether a process of this machine runs; one of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
