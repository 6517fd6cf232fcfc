// Lets one hookbell at a time write agents' settings.
import { join } from "node:path";
import { codeOf, exitCodes, UserError } from "../model/errors.ts";
import type { Clock } from "../system/clock.ts";
import { ensurePrivateDir } from "../system/files/files.ts";
import { takeLock } from "../system/process/lock.ts";

const waitMs = 30_000;
const staleMs = 60_000;

/** Two records written at once would lose one of them. Throws a `UserError` when the other hookbell does not end in time. */
export async function withInstallLock<T>(stateDir: string, clock: Clock, work: () => T): Promise<T> {
  const options = { clock, waitMs, staleMs, signal: new AbortController().signal };
  let giveBack: (() => void) | undefined;
  try {
    ensurePrivateDir(stateDir);
    giveBack = await takeLock(join(stateDir, "installing"), options);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    // If nothing can be written, the work itself reports which file.
    return work();
  }
  if (giveBack === undefined) {
    throw new UserError("install.busy", "another hookbell is writing the agents' settings", {
      hint: "nothing was written; run this again when it has ended",
      exitCode: exitCodes.cannotWrite,
    });
  }
  try {
    return work();
  } finally {
    giveBack();
  }
}
