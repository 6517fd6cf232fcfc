import { renewEveryMs, type Lease } from "../../outbox/lease.ts";
import type { Clock } from "../../system/clock.ts";

/** `lost`: another dispatcher has taken over, for good. `trouble`: the disk takes no writing now, and may later. */
export type LeaseState = "held" | "lost" | "trouble";

/** The lease, renewed in the background and before whatever must not be done without it. */
export interface HeldLease {
  /** Renews it. */
  hold(): LeaseState;
  isLost(): boolean;
  stop(): void;
}

export function holdLease(lease: Lease, clock: Clock, onLost: () => void): HeldLease {
  let isLost = false;
  let cancel = (): void => {};
  const hold = (): LeaseState => {
    if (isLost) return "lost";
    try {
      if (lease.renew()) return "held";
    } catch {
      return "trouble";
    }
    isLost = true;
    onLost();
    return "lost";
  };
  const renewLater = (): void => {
    cancel = clock.after(renewEveryMs, () => {
      if (hold() !== "lost") renewLater();
    });
  };
  renewLater();
  return { hold, isLost: () => isLost, stop: () => cancel() };
}
