import { writeSync } from "node:fs";

/** Tests set it to n: the process is gone before its n-th step that changes a file or speaks to the network. */
const stopVariable = "HOOKBELL_TEST_STOP_AT";

const stopAt = Number(process.env[stopVariable] ?? 0);
let steps = 0;

// What this process starts is to run on.
if (stopAt > 0) delete process.env[stopVariable];

/** Ends the process without any cleanup when a test has asked for that; nothing else ever. */
export function faultPoint(step: string): void {
  if (stopAt === 0) return;
  steps += 1;
  if (steps !== stopAt) return;
  writeSync(2, `stopped before step ${steps}: ${step}\n`);
  process.kill(process.pid, "SIGKILL");
}
