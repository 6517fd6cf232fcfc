import { createWhole } from "../system/create-whole.ts";
import { removeTree, statIfThere } from "../system/files.ts";
import { startDetached } from "../system/start-detached.ts";
import type { Environment } from "../system/environment.ts";
import { findLeaseHolder } from "./lease.ts";
import type { Layout } from "./layout.ts";

/** A dispatcher that has not taken the lease by then is taken for dead. */
const startingMs = 5000;

function startingMark(layout: Layout): string {
  return `${layout.lease}.starting`;
}

/** Starts a dispatcher unless one runs or has just been started: two hundred hooks at once start one. */
export async function wakeDispatcher(
  layout: Layout,
  start: { argv: readonly [string, ...string[]]; env: Environment; nowMs: number },
): Promise<void> {
  if (findLeaseHolder(layout, start.nowMs) !== undefined) return;
  const mark = startingMark(layout);
  if (!createWhole(mark, "", start.nowMs)) {
    const stats = statIfThere(mark);
    if (stats !== undefined && Math.abs(start.nowMs - stats.mtimeMs) < startingMs) return;
    removeTree(mark);
  }
  // The agent's folder may be deleted under a process that stays in it.
  await startDetached(start.argv, layout.root, start.env);
}

/** Whether a dispatcher is coming up that has not taken the lease yet. */
export function isBeingStarted(layout: Layout, nowMs: number): boolean {
  const stats = statIfThere(startingMark(layout));
  return stats !== undefined && Math.abs(nowMs - stats.mtimeMs) < startingMs;
}

/** The dispatcher says that it is there. */
export function clearStartingMark(layout: Layout): void {
  removeTree(startingMark(layout));
}
