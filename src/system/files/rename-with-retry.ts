// Renames a file, on Windows again and again.
import { renameSync } from "node:fs";
import { codeOf } from "../../model/errors.ts";

/** A virus scanner that looks into a new file keeps it from being renamed for a moment. */
const passing: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** A second in all; a hook has no more. */
const pausesMs = [10, 20, 40, 80, 160, 320, 320];

export interface RenameEffects {
  rename(from: string, to: string): void;
  pause(ms: number): void;
  platform: NodeJS.Platform;
}

const system: RenameEffects = {
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  platform: process.platform,
};

/** Throws the last error. */
export function renameWithRetry(from: string, to: string, { rename, pause, platform } = system): void {
  for (const ms of platform === "win32" ? pausesMs : []) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!passing.has(codeOf(error))) throw error;
      pause(ms);
    }
  }
  rename(from, to);
}
