// Where the workers' empty homes lie (guard-home.ts), and all temporary folders, so that a run of the tests leaves none behind.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Once a run, before any worker; what it returns is called after the last one. */
export function setup(): () => void {
  const memory = folderInMemory();
  if (memory !== undefined) process.env.TMPDIR = memory;
  const homes = mkdtempSync(join(tmpdir(), "hookbell-homes-"));
  process.env.HOOKBELL_TEST_HOMES = homes;
  return () => {
    for (const folder of [homes, memory ?? homes]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

/** What the tests sync takes a disk a third of their time. Some containers give this folder too little room, or let nothing run there. */
function folderInMemory(): string | undefined {
  if (process.platform !== "linux" || process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize < 2 ** 31) return undefined;
    const folder = mkdtempSync("/dev/shm/hookbell-tests-");
    // Some tests run programs as another user.
    chmodSync(folder, 0o711);
    const program = join(folder, "try");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // There is no such folder, or not for this user.
  }
  return undefined;
}
