// Runs a built program that is gone at its n-th step, without any cleanup.
const preload = new URL("preload.mjs", import.meta.url).href;

/** What to add to the environment of a process that is to be killed at its n-th step, counted from 1. */
export function stoppedAt(step: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${preload}`, TEST_STOP_AT: String(step) };
}
