// How much a folder of the state may hold.
import { join } from "node:path";
import { listNames, removeTree, statIfThere } from "../system/files/files.ts";

export interface Bounds {
  maxFiles: number;
  maxBytes: number;
}

export const rejectedBounds: Bounds = { maxFiles: 400, maxBytes: 64 * 1024 * 1024 };
export const deadBounds: Bounds = { maxFiles: 5000, maxBytes: 64 * 1024 * 1024 };
export const sessionBounds: Bounds = { maxFiles: 1000, maxBytes: 8 * 1024 * 1024 };
export const endpointBounds: Bounds = { maxFiles: 200, maxBytes: 1024 * 1024 };
/** A version of hookbell has up to 200 chunks. */
export const compiledBounds: Bounds = { maxFiles: 400, maxBytes: 16 * 1024 * 1024 };

export const tooMany = "there were too many";

/** Removes the oldest first; returns what it removed. */
export function keepWithin(dir: string, bounds: Bounds, order: "name" | "modified" = "name"): string[] {
  const files = listNames(dir).flatMap((name) => {
    const stats = statIfThere(join(dir, name));
    return stats === undefined ? [] : [{ name, ...stats }];
  });
  if (order === "modified") files.sort((a, b) => a.mtimeMs - b.mtimeMs);
  let count = files.length;
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const removed: string[] = [];
  for (const file of files) {
    if (count <= bounds.maxFiles && bytes <= bounds.maxBytes) break;
    if (removeTree(join(dir, file.name))) removed.push(file.name);
    count -= 1;
    bytes -= file.bytes;
  }
  return removed;
}
