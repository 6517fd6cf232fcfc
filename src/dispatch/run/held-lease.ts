// The dispatcher's lease while it runs, renewed in the background and on demand.
import { renewEveryMs, type Lease } from "../../outbox/lease.ts";
import type { Clock } from "../../system/clock.ts";

export interface HeldLease {
  /** False once another dispatcher has taken over. */
  renew(): boolean;
  isLost(): boolean;
  stop(): void;
}

export function holdLease(lease: Lease, clock: Clock, onLost: () => void): HeldLease {
  let isLost = false;
  let cancel = (): void => {};
  const renew = (): boolean => {
    if (isLost || lease.renew()) return !isLost;
    isLost = true;
    onLost();
    return false;
  };
  const renewLater = (): void => {
    cancel = clock.after(renewEveryMs, () => {
      try {
        renew();
      } catch {
        // The next renewal may succeed.
      }
      if (!isLost) renewLater();
    });
  };
  renewLater();
  return { renew, isLost: () => isLost, stop: () => cancel() };
}
