// Where the workers' empty homes lie (guard-home.ts), so that a run of the tests leaves none behind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Once a run, before any worker; what it returns is called after the last one. */
export function setup(): () => void {
  const homes = mkdtempSync(join(tmpdir(), "hookbell-homes-"));
  process.env.HOOKBELL_TEST_HOMES = homes;
  return () => {
    rmSync(homes, { recursive: true, force: true, maxRetries: 3 });
  };
}
