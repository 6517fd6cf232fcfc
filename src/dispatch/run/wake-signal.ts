import type { Clock } from "../../system/clock.ts";

/** Something to wait for: it is rung, or the time is up. A ring while nobody waits is kept. */
export interface Bell {
  ring(): void;
  /** Resolves after the next ring, or after `atMostMs`; with Infinity only after a ring. */
  wait(atMostMs: number): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let isRung = false;
  let wake = (): void => {};
  return {
    ring() {
      isRung = true;
      wake();
    },
    async wait(atMostMs) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const cancel = atMostMs === Infinity ? (): void => {} : clock.after(atMostMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
      isRung = false;
    },
  };
}
