// The dispatcher's loop: polls the services in turn, and sleeps until one of them has something to do. It knows none by name.
import type { HeldLease } from "../outbox/lease/lease.ts";
import type { Clock, WakeSignal } from "../system/clock.ts";
import type { Attendant, Service, StopReason } from "./attend.ts";

export interface LoopOptions {
  /** Ends after this long with nothing to do; undefined: never. */
  idleMs: number | undefined;
  /** What may still happen keeps it running. */
  isStaying: boolean;
  stop: AbortSignal;
}

/** `services`: what to start, poll and stop. */
export interface Crew {
  /** They start in this order, and are polled in it. */
  services: readonly Service[];
  /** They stop in this order, those of a row side by side. */
  stopping: readonly (readonly Service[])[];
  /** They are polled, too, and outlive the loop. */
  lasting: readonly Service[];
}

/** Runs the services until there is nothing to do, the process is to end, or another dispatcher has the lease. */
export async function runLoop(
  { services, stopping, lasting }: Crew,
  lease: HeldLease,
  {
    attendant,
    signal,
    clock,
    onRound,
  }: { attendant: Attendant; signal: WakeSignal; clock: Clock; onRound(): Promise<void> },
  { idleMs, isStaying, stop }: LoopOptions,
): Promise<StopReason> {
  const all = [...services, ...lasting];
  const keepsRunning = (service: Service): boolean => {
    const busy = service.busy?.();
    return busy === "work" || (busy === "stay" && isStaying);
  };
  let idleSince = clock.now();
  let trouble: string | undefined;
  lease.lost.addEventListener("abort", signal.wake);
  stop.addEventListener("abort", signal.wake);
  try {
    await attendant.start(services);
    while (!lease.isLost() && !stop.aborted) {
      renewIfPossible(lease);
      await onRound();
      const nextAt = await pollAll(attendant, all);
      if (attendant.trouble() !== trouble) lease.setTrouble(attendant.trouble());
      trouble = attendant.trouble();
      const now = clock.now();
      const isBusy = all.some(keepsRunning);
      if (isBusy) idleSince = now;
      if (nextAt <= now) {
        // Answers are settled and files are synced in between.
        await new Promise(setImmediate);
        continue;
      }
      const idleLeftMs = isBusy ? Infinity : idleSince + (idleMs ?? Infinity) - now;
      if (idleLeftMs <= 0) break;
      await signal.wait(Math.min(nextAt - now, idleLeftMs));
    }
  } finally {
    // All of this ends before another dispatcher may begin.
    await attendant.stop(stopping, lease.isLost() ? "lost" : "ended");
    stop.removeEventListener("abort", signal.wake);
  }
  return lease.isLost() ? "lost" : "ended";
}

/** Returns when one of them has to be polled again. */
async function pollAll(attendant: Attendant, services: readonly Service[]): Promise<number> {
  let nextAt = Infinity;
  let hasBacklog = false;
  for (const service of services) {
    if (hasBacklog && service.waitsForBacklog === true) continue;
    const poll = await attendant.poll(service);
    nextAt = Math.min(nextAt, poll.nextAt);
    hasBacklog ||= poll.hasBacklog === true;
  }
  return nextAt;
}

/** `doctor` makes a change in incoming/ and sees by this that the dispatcher is at work. */
function renewIfPossible(lease: HeldLease): void {
  try {
    lease.renew();
  } catch {
    // The services meet the same trouble, and say so.
  }
}
