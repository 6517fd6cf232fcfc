import { renameSync } from "node:fs";
import { codeOf } from "../../model/errors.ts";

/** On Windows a virus scanner or an indexer that looks into a file just written keeps it from being renamed for a moment. */
const passing: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** About a second in all; a hook has no more. */
const pausesMs = [10, 20, 40, 80, 160, 320, 320];

export interface RenameEffects {
  rename(from: string, to: string): void;
  pause(ms: number): void;
  platform: NodeJS.Platform;
}

const system: RenameEffects = {
  rename: renameSync,
  // Nothing else may happen meanwhile, as with the rename itself.
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  platform: process.platform,
};

/** Renames, on Windows with patience; elsewhere these errors do not pass. Throws the last one. */
export function renamePatiently(from: string, to: string, { rename, pause, platform } = system): void {
  const pauses = platform === "win32" ? pausesMs : [];
  for (const ms of pauses) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!passing.has(codeOf(error))) throw error;
      pause(ms);
    }
  }
  rename(from, to);
}
