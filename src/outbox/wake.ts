// Starts a dispatcher in the background unless one runs or is coming up.
import { codeOf } from "../model/errors.ts";
import { readClaim } from "../system/files/lock.ts";
import { createWhole } from "../system/files/create-exclusive.ts";
import { removeTree, writeWholeSoon } from "../system/files/files.ts";
import { isAlive, ownPid } from "../system/process/identity.ts";
import { startDetached } from "../system/process/start-detached.ts";
import type { Environment } from "../system/environment.ts";
import { findLeaseHolder } from "./lease.ts";
import type { Layout } from "./layout.ts";

/** A dispatcher that has not taken the lease by then is taken for dead. */
const startingMs = 5000;

/** Names the process that is coming up, as the shell's hook writes it: who starts it, then the dispatcher itself. */
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
  const takeMark = (): boolean => unlessFull(() => createWhole(mark, `${ownPid}\n`, start.nowMs)) ?? true;
  if (!takeMark()) {
    if (isBeingStarted(layout, start.nowMs)) return;
    removeTree(mark);
    if (!takeMark()) return;
  }
  // The agent's folder may be deleted under a process that stays in it.
  const pid = await startDetached(start.argv, layout.root, start.env);
  if (pid !== undefined) unlessFull(() => writeWholeSoon(mark, `${pid}\n`));
}

/** Without a mark two dispatchers may be started, of which one gets the lease. */
function unlessFull<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
    return undefined;
  }
}

/** Whether a dispatcher is coming up that has not taken the lease yet. */
export function isBeingStarted(layout: Layout, nowMs: number): boolean {
  const mark = readClaim(startingMark(layout));
  if (mark === undefined || Math.abs(nowMs - mark.mtimeMs) >= startingMs) return false;
  const pid = Number.parseInt(mark.text, 10);
  // The shell makes the file first and writes into it then.
  return Number.isNaN(pid) || isAlive(pid);
}

/** The dispatcher says that it is there. */
export function clearStartingMark(layout: Layout): void {
  removeTree(startingMark(layout));
}
