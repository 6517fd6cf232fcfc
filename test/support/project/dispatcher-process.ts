// The dispatcher that a hook started, seen from outside.
import { readFileSync, readlinkSync } from "node:fs";
import { expect } from "vitest";
import { leaseMs } from "../../../src/outbox/lease/lease.ts";
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

/** The next one took over only from one that a busy machine kept from renewing its lease, or that had ended. */
export function expectOneAtATime(project: Project): void {
  const starts = project.journal().flatMap(({ what, at }) => (what === "started" ? [Date.parse(at)] : []));
  expect(starts).not.toEqual([]);
  // It writes that it has started a moment after it has taken the lease.
  const leastMs = leaseMs / 2;
  const tooSoon = starts.slice(1).filter((at, index) => at - (starts[index] ?? 0) < leastMs);
  expect(tooSoon).toEqual([]);
}

/** What its three standard descriptors lead to; fails when it has ended. Linux alone says. */
export function openDescriptors(pid: number): string[] {
  return [0, 1, 2].map((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`));
}
