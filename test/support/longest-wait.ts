// How long a test waits for what must come: a bound for what never does. A busy machine takes long for everything.

/** Shorter than vitest's own timeout, so that a test says what it waited for. */
export const longestWaitMs = 90_000;
