// The dispatcher's lease while it runs, renewed in the background and on demand.
import { renewEveryMs, type Lease } from "../../outbox/lease.ts";
import type { Clock } from "../../system/clock.ts";

export interface HeldLease {
  /** False once another dispatcher has taken over. */
  renew(): boolean;
  isLost(): boolean;
  stop(): void;
}

/** Another dispatcher waits for 15 seconds before it takes over, so what was seen a moment ago still holds. */
const seenForMs = 250;

export function holdLease(lease: Lease, clock: Clock, onLost: () => void): HeldLease {
  let isLost = false;
  let seenAt = -Infinity;
  let cancel = (): void => {};
  const renew = (): boolean => {
    const now = clock.now();
    // The clock may have been set back.
    if (isLost || (now >= seenAt && now - seenAt < seenForMs)) return !isLost;
    isLost = !lease.renew();
    if (isLost) onLost();
    else seenAt = now;
    return !isLost;
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
