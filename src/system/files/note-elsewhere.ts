// A note that outlives a process where the state's own disk takes none, such as that a person was told of that disk.
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createExclusive } from "./create-exclusive.ts";
import { memoryFolder, removeIfThere, statIfThere } from "./files.ts";

/**
 * Takes the note, and says whether no process has taken it within this time. `runtimeFolder`: the user's own in memory. Times are milliseconds, `nowMs` since the epoch.
 * Where no folder takes it, it counts as taken.
 */
export function noteElsewhere(name: string, runtimeFolder: string | undefined, nowMs: number, forMs: number): boolean {
  for (const folder of [runtimeFolder ?? "", memoryFolder, tmpdir()]) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      const earlier = statIfThere(path);
      if (earlier !== undefined && Math.abs(nowMs - earlier.mtimeMs) < forMs) return false;
      if (earlier !== undefined) removeIfThere(path);
      return createExclusive(path, "", nowMs);
    } catch {
      // That folder is not there, or full as well.
    }
  }
  return false;
}
