// The lease: the claim of the one dispatcher at work.
import type { Clock } from "../system/clock.ts";
import { createExclusive } from "../system/files/create-exclusive.ts";
import { removeIfThere, uniqueName } from "../system/files/files.ts";
import { dropClaim, readClaim, type Claim } from "../system/process/lock.ts";
import { touch } from "../system/files/write.ts";
import { hostName, isAlive, ownPid, pidSpace, startOf } from "../system/process/identity.ts";
import type { Layout } from "./layout.ts";
import { objectIn } from "../model/json.ts";

/** The lease's modification time is in the future, so that a shell can test it: `[ lease -nt file ]`. */
export interface Lease {
  /** False: another has taken over, and nothing more may be sent. */
  renew(): boolean;
  release(): void;
}

export interface LeaseHolder {
  token: string;
  pid: number;
  host: string;
  /** Containers on one host count their processes apart. */
  pidSpace: string;
  /** The process's start, which tells it from a later one with the same id; Linux only. */
  start?: string | undefined;
  startedAt: number;
}

export const leaseMs = 15_000;
export const renewEveryMs = 5000;

export function findLeaseHolder(layout: Layout, nowMs: number): LeaseHolder | undefined {
  return holderOf(readClaim(layout.lease), nowMs);
}

function holderOf(claim: Claim | undefined, nowMs: number): LeaseHolder | undefined {
  if (claim === undefined || claim.mtimeMs <= nowMs) return undefined;
  const holder = parseHolder(claim.text);
  if (holder === undefined) return undefined;
  const isVisible = holder.host === hostName() && holder.pidSpace === pidSpace();
  // After the clock was set back, a living holder renews the lease within seconds. Its time alone would hold for hours.
  const isHeld = isVisible ? isSameProcess(holder) : claim.mtimeMs <= nowMs + 2 * leaseMs;
  return isHeld ? holder : undefined;
}

function isSameProcess({ pid, start }: LeaseHolder): boolean {
  return isAlive(pid) && (start === undefined || startOf(pid) === start);
}

export function takeLease(layout: Layout, clock: Clock): Lease | undefined {
  const holder: LeaseHolder = {
    token: uniqueName(clock.now()),
    pid: ownPid,
    host: hostName(),
    pidSpace: pidSpace(),
    start: startOf(ownPid),
    startedAt: clock.now(),
  };
  // The shell hook reads the pid, then the host, out of this text.
  const text = JSON.stringify(holder);
  const tries = 3;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (createExclusive(layout.lease, text, clock.now() + leaseMs)) return makeLease(layout, clock, text);
    const claim = readClaim(layout.lease);
    if (holderOf(claim, clock.now()) !== undefined) return undefined;
    if (claim !== undefined) dropClaim(layout.lease, claim, clock.now());
  }
  return undefined;
}

function makeLease(layout: Layout, clock: Clock, text: string): Lease {
  const isOurs = (): boolean => readClaim(layout.lease)?.text === text;
  return {
    renew() {
      // The owner is checked after the renewal, since a process that was frozen would otherwise renew another's lease.
      if (touch(layout.lease, clock.now() + leaseMs)) return isOurs();
      return createExclusive(layout.lease, text, clock.now() + leaseMs);
    },
    release() {
      if (isOurs()) removeIfThere(layout.lease);
    },
  };
}

function parseHolder(text: string): LeaseHolder | undefined {
  const { token, pid, host, pidSpace, start, startedAt }: Partial<Record<keyof LeaseHolder, unknown>> = objectIn(text);
  return typeof token === "string" &&
    typeof pid === "number" &&
    typeof host === "string" &&
    typeof pidSpace === "string" &&
    typeof startedAt === "number"
    ? { token, pid, host, pidSpace, startedAt, ...(typeof start === "string" && { start }) }
    : undefined;
}

/** The lease while a dispatcher runs, renewed in the background and on demand. */
export interface HeldLease {
  /** Returns false once another dispatcher has taken over. */
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
