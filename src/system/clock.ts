// Time and randomness, passed in so that tests control the clock instead of sleeping.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Node's timers overflow then, and fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Never goes back. `elapsed` may stand still while the machine sleeps. */
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

/** Times written with this move back by as much. */
export function setBackMs(writtenAt: number, nowMs: number): number {
  return Math.max(0, writtenAt - nowMs);
}

export const systemClock: Clock = {
  now: createSteadyTime(
    () => Date.now(),
    // Node loads `performance` when it is first used.
    () => Number(process.hrtime.bigint() / 1_000_000n),
  ),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), maxTimerMs));
    return () => clearTimeout(timer);
  },
};

/** Resolves after the time, or as soon as the signal aborts. */
export function sleep({ after }: Pick<Clock, "after">, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = after(ms, end);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

export class DeadlineError extends Error {}

/** After the signal, what was called has so long to end by itself. */
const graceMs = 1000;

/** Aborts the signal when the time is over, and rejects with a `DeadlineError` if `use` goes on regardless. */
export async function withDeadline<T>(
  clock: Clock,
  timeoutMs: number,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(timeoutMs, () => {
      deadline.abort();
      cancel = clock.after(graceMs, () => reject(new DeadlineError(`did not end within ${timeoutMs / 1000} s`)));
    });
  });
  try {
    return await Promise.race([use(deadline.signal), late]);
  } finally {
    cancel();
  }
}

export const systemRandom: Random = () => Math.random();

/** Long work in pieces keeps nothing else waiting. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets a loop wait for so long, or until it is woken; with Infinity, only a wake ends the wait. A wake is kept while nothing waits. */
export interface WakeSignal {
  wake(): void;
  wait(atMostMs: number): Promise<void>;
}

export function createWakeSignal(clock: Clock): WakeSignal {
  let isWoken = false;
  let onWake = (): void => {};
  return {
    wake() {
      isWoken = true;
      onWake();
    },
    async wait(atMostMs) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const cancel = atMostMs === Infinity ? (): void => {} : clock.after(atMostMs, resolve);
          onWake = () => {
            cancel();
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
