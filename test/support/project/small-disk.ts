// A disk of two megabytes, of which compiled code takes up to one, that a test can fill, and make read-only. Only root may mount one.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { longestWaitMs } from "../longest-wait.ts";
import { findPart } from "../parts.ts";

export interface SmallDisk {
  /** Returns the number of bytes that had room. */
  fill(): number;
  /** All that was filled, or so many bytes. */
  makeRoom(bytes?: number): void;
  setReadOnly(isReadOnly: boolean): void;
}

/** What the machine needs for it, for `describeWithParts`: containers let root mount nothing, so it is tried once. */
export const mountParts: readonly string[] = canMount() ? ["mount", "umount"] : ["right to mount a disk"];

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || findPart("mount") === undefined) return false;
  const folder = mkdtempSync(join(tmpdir(), "hookbell-mount-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "none", folder]).status === 0;
  if (isMounted) spawnSync("umount", ["-l", folder]);
  rmSync(folder, { recursive: true });
  return isMounted;
}

/** Mounts one on this folder until the end of the test. */
export function mountSmallDisk(folder: string, size = "2m"): SmallDisk {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "hookbell-test", folder]);
  onTestFinished(() => {
    // A process of the test may still be in it.
    execFileSync("umount", ["-l", folder]);
  });
  const filler = join(folder, "filler");
  return {
    fill() {
      const descriptor = openSync(filler, "a");
      let added = 0;
      try {
        for (;;) added += writeSync(descriptor, Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        return added;
      } finally {
        closeSync(descriptor);
      }
    },
    makeRoom: (bytes) => truncateSync(filler, bytes === undefined ? 0 : statSync(filler).size - bytes),
    setReadOnly(isReadOnly) {
      const args = ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, folder];
      const deadline = Date.now() + longestWaitMs;
      // A disk on which a file is being written cannot be made read-only.
      for (;;) {
        const { status, stderr } = spawnSync("mount", args, { encoding: "utf8" });
        if (status === 0) return;
        if (!stderr.includes("busy") || Date.now() > deadline) throw new Error(stderr);
      }
    },
  };
}

/** What a process was writing does not fit any more, and leaves room when the process removes it: the disk is filled again. */
export async function fillForGood(disk: SmallDisk): Promise<void> {
  while (disk.fill() > 0) await sleep(500);
}
