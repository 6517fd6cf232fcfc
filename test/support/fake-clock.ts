import type { Clock } from "../../src/system/clock.ts";

/** A clock that stands still until it is turned; timers fire in the order of their time. */
export function createFakeClock(
  startMs = 1_800_000_000_000,
): Clock & { turn(ms: number): void; set(ms: number): void; step(ms: number): void; nextAt(): number | undefined } {
  let now = startMs;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, callback) {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    turn(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = until;
    },
    set(ms) {
      now = ms;
    },
    /** Someone sets the system's clock: its timers, which count by themselves, do not move. */
    step(ms) {
      now += ms;
      for (const timer of timers) timer.at += ms;
    },
    /** When the next timer fires. */
    nextAt: () => (timers.length === 0 ? undefined : Math.min(...timers.map(({ at }) => at))),
  };
}
