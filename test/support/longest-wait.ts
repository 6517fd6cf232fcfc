// How long a test waits for what must come: a bound for what never does. A busy machine takes long for everything.

/** Shorter than vitest's own timeout, so that a test says what it waited for. */
export const longestWaitMs = isMutated() ? 5000 : 180_000;

/** Stryker's programs name themselves by this. Nothing else runs beside them, and what a change of the code prevents never comes. */
function isMutated(): boolean {
  return process.env.STRYKER_MUTATOR_WORKER !== undefined;
}
