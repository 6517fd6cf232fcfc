// Starts a dispatcher in the background unless one runs or is coming up.
import { parse } from "node:path";
import { readClaim } from "../../system/process/lock.ts";
import { createExclusive } from "../../system/files/create-exclusive.ts";
import { removeTree } from "../../system/files/files.ts";
import { touch, writeWholeSoon } from "../../system/files/write.ts";
import { isAlive, ownPid } from "../../system/process/identity.ts";
import { startDetached } from "../../system/process/start/start-detached.ts";
import type { Environment } from "../../system/environment.ts";
import { findLeaseHolder } from "./lease.ts";
import { type Layout, unlessStorageTrouble } from "../layout.ts";

const startingMs = 5000;

/** Holds the starting hook's pid, then the dispatcher's. */
function startingMark(layout: Layout): string {
  return `${layout.lease}.starting`;
}

/** Returns why the one that runs can send nothing, if so. */
export function wakeDispatcher(
  layout: Layout,
  start: { argv: readonly [string, ...string[]]; env: Environment; nowMs: number },
): string | undefined {
  const holder = findLeaseHolder(layout, start.nowMs);
  if (holder === undefined) startDispatcher(layout, start);
  return holder?.trouble;
}

function startDispatcher(layout: Layout, start: Parameters<typeof wakeDispatcher>[1]): void {
  const mark = startingMark(layout);
  // Without a mark two may be started, of which one gets the lease.
  const takeMark = (): boolean => unlessStorageTrouble(() => createExclusive(mark, `${ownPid}\n`, start.nowMs)) ?? true;
  if (!takeMark()) {
    if (isBeingStarted(layout, start.nowMs)) return;
    removeTree(mark);
    if (!takeMark()) return;
  }
  // The agent's folder may be deleted. Windows deletes no folder that a process is in.
  const folder = process.platform === "win32" ? parse(layout.root).root : layout.root;
  const pid = startDetached(start.argv, folder, start.env);
  if (pid !== undefined) unlessStorageTrouble(() => writeWholeSoon(mark, `${pid}\n`));
}

export function isBeingStarted(layout: Layout, nowMs: number): boolean {
  const mark = readClaim(startingMark(layout));
  if (mark === undefined || Math.abs(nowMs - mark.mtimeMs) >= startingMs) return false;
  const pid = Number.parseInt(mark.text, 10);
  // A shell makes the file first and then writes into it.
  return Number.isNaN(pid) || isAlive(pid);
}

/** This process is still coming up. */
export function holdStartingMark(layout: Layout, nowMs: number): void {
  if (!touch(startingMark(layout), nowMs)) createExclusive(startingMark(layout), `${ownPid}\n`, nowMs);
}

export function clearStartingMark(layout: Layout): void {
  removeTree(startingMark(layout));
}
