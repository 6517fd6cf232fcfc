import { renewEveryMs, type Lease } from "../outbox/lease.ts";
import type { Clock } from "../system/clock.ts";

/** The lease, renewed in the background and before whatever must not be done without it. */
export interface KeptLease {
  /** Renews it; false from the moment that another dispatcher has taken over, and while the disk takes no writing. */
  hold(): boolean;
  isLost(): boolean;
  stop(): void;
}

export function keepLease(lease: Lease, clock: Clock, onLost: () => void): KeptLease {
  let isLost = false;
  let cancel = (): void => {};
  const hold = (): boolean => {
    try {
      isLost ||= !lease.renew();
      return !isLost;
    } catch {
      // What is sent now could not be crossed out, and would be sent again.
      return false;
    }
  };
  const renewLater = (): void => {
    cancel = clock.after(renewEveryMs, () => {
      hold();
      if (isLost) onLost();
      else renewLater();
    });
  };
  renewLater();
  return { hold, isLost: () => isLost, stop: () => cancel() };
}
