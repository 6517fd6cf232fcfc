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

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), maxTimerMs));
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = () => Math.random();
