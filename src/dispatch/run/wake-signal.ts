// Lets a loop sleep until something wakes it, or its time is over.
import type { Clock } from "../../system/clock.ts";

export interface WakeSignal {
  /** The signal is kept while nothing waits. */
  wake(): void;
  /** With Infinity, only a wake ends it. */
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
