// The dispatcher that a hook started, seen from outside.
import { readFileSync, readlinkSync } from "node:fs";
import { isAlive } from "../../../src/system/process/identity.ts";
import type { Project } from "./running-project.ts";

/** The process that holds the lease, living or dead; fails if none does. */
export function dispatcherPid({ layout }: Project): number {
  return (JSON.parse(readFileSync(layout.lease, "utf8")) as { pid: number }).pid;
}

/** Kills it, and waits for its end. One that had nothing to do for ten seconds has ended by itself, and taken its lease with it. */
export async function endDispatcher(project: Project): Promise<void> {
  try {
    const pid = dispatcherPid(project);
    process.kill(pid, "SIGKILL");
    await project.until("its end", () => !isAlive(pid));
  } catch (error) {
    if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** What its three standard descriptors lead to; fails when it has ended. Linux alone says. */
export function openDescriptors(pid: number): string[] {
  return [0, 1, 2].map((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`));
}
