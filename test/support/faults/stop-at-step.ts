// Runs a built program that is gone at its n-th step, without any cleanup.
const preload = new URL("preload.mjs", import.meta.url).href;

/** What to add to the environment of a process that is to be killed at its n-th step, counted from 1. */
export function stoppedAt(step: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${preload}`, TEST_STOP_AT: String(step) };
}

/** Before its n-th step whose name and arguments match: a call of the file system, or what it writes to a socket. */
export function stoppedBefore(step: RegExp, n = 1): Record<string, string> {
  return { ...stoppedAt(n), TEST_STOP_WHEN: step.source };
}
