// Time and randomness, passed in so that tests control the clock instead of sleeping.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once, `delayMs` from now; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Node's timers overflow at 2^31 ms and then fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * The time in this process never goes back: where the system's clock is set back, it counts on by itself.
 * `elapsed` counts milliseconds from any start; it may stand still while the machine sleeps, and the wall clock then wins.
 */
export function createSteadyTime(wall: () => number, elapsed: () => number): () => number {
  let last = wall();
  let lastElapsed = elapsed();
  return () => {
    const wallNow = wall();
    const elapsedNow = elapsed();
    last = Math.max(wallNow, last + elapsedNow - lastElapsed);
    lastElapsed = elapsedNow;
    return Math.floor(last);
  };
}

/** By how much the clock was set back since this was written; times written with it move back by as much. */
export function setBackMs(writtenAt: number, nowMs: number): number {
  return Math.max(0, writtenAt - nowMs);
}

export const systemClock: Clock = {
  now: createSteadyTime(
    () => Date.now(),
    // Node loads `performance` when it is first used, and has this one already.
    () => Number(process.hrtime.bigint() / 1_000_000n),
  ),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), maxTimerMs));
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = () => Math.random();

/** Resolves when what waits in this process has had its turn: long work in pieces keeps nobody waiting. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
