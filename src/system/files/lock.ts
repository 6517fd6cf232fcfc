import { codeOf } from "../../model/errors.ts";
import { createWhole } from "./create-exclusive.ts";
import { readIfThere, removeTree, renameIfThere, statIfThere } from "./files.ts";
import { uniqueName } from "../unique-name.ts";

/** A file by which one process of many says that something is its own: the lease, a turn. */
export interface Claim {
  text: string;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
}

/** The claim as it is now, or undefined when there is none. What cannot be read, such as a folder, claims nothing. */
export function readClaim(path: string): Claim | undefined {
  try {
    // Should another replace it in between, its time would be the older one's, which `dropClaim` notices.
    const stats = statIfThere(path);
    const text = readIfThere(path);
    return stats === undefined || text === undefined ? undefined : { text, mtimeMs: stats.mtimeMs };
  } catch (error) {
    if (!unreadable.has(codeOf(error))) throw error;
    return { text: "", mtimeMs: 0 };
  }
}

/** Others, such as EIO, are the disk's trouble, and pass. */
const unreadable: ReadonlySet<string | undefined> = new Set(["EISDIR", "ELOOP", "EACCES", "EPERM"]);

/**
 * Takes a claim away that was found stale. Renamed before it is looked at again: another may have replaced or renewed it
 * since, and then it is put back.
 */
export function dropClaim(path: string, stale: Claim, nowMs: number): void {
  const aside = `${path}.stale-${uniqueName(nowMs)}`;
  if (!renameIfThere(path, aside)) return;
  const moved = readClaim(aside);
  if (moved !== undefined && (moved.text !== stale.text || moved.mtimeMs !== stale.mtimeMs)) {
    createWhole(path, moved.text, moved.mtimeMs);
  }
  removeTree(aside);
}
