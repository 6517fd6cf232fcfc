import { basename } from "node:path";
import { readIfThere, removeIfThere, writeWholeSoon } from "../system/files/files.ts";
import { isAlive, ownPid } from "../system/process/identity.ts";
import { uniqueName } from "../system/unique-name.ts";
import type { Layout } from "./layout.ts";

/**
 * A dispatcher that has given up the lease, and takes it again when something is due, stands here; so there is one of
 * them at most. Who takes the lease to stay takes the mark away, and the other ends.
 */
function restingMark(layout: Layout): string {
  return `${layout.lease}.resting`;
}

/** As the file system names it to those that watch the state folder. */
export function isRestingMark(layout: Layout, name: string): boolean {
  return name === basename(restingMark(layout));
}

/** Only with the lease. What it returns tells ours from another's. */
export function markResting(layout: Layout, nowMs: number): string {
  const token = `${ownPid} ${uniqueName(nowMs)}`;
  writeWholeSoon(restingMark(layout), token);
  return token;
}

export function isMarkedResting(layout: Layout, token: string): boolean {
  return readIfThere(restingMark(layout)) === token;
}

export function clearRestingMark(layout: Layout): void {
  removeIfThere(restingMark(layout));
}

/** Whether one rests now that will see to what is due. */
export function isAnyResting(layout: Layout): boolean {
  const pid = Number.parseInt(readIfThere(restingMark(layout)) ?? "", 10);
  return Number.isSafeInteger(pid) && pid > 0 && isAlive(pid);
}
