// The lease: the claim of the one dispatcher at work.
import type { Clock } from "../../system/clock.ts";
import { createExclusive } from "../../system/files/create-exclusive.ts";
import { removeIfThere, uniqueName } from "../../system/files/files.ts";
import { dropClaim, readClaim, type Claim } from "../../system/process/lock.ts";
import { touch, writeWholeAt } from "../../system/files/write.ts";
import { hostName, isAlive, ownPid, pidSpace, startOf } from "../../system/process/identity.ts";
import { ownBirth } from "../../system/process/use.ts";
import type { Layout } from "../layout.ts";
import { objectIn } from "../../model/json.ts";

/** The lease's modification time is in the future, so that a shell can test it: `[ lease -nt file ]`. */
export interface Lease {
  /** False: another has taken over, and nothing more may be sent. */
  renew(): boolean;
  /** States in the lease why nothing can be taken in or sent; undefined when it can again. Throws the system's error. */
  setTrouble(trouble: string | undefined): void;
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
  /** The boot that `start` counts from. */
  boot?: string | undefined;
  /** Elsewhere than on Linux: the process's start in milliseconds since the epoch. */
  bornAt?: number | undefined;
  /** Why nothing can be taken in or sent at the moment, for hooks to say. */
  trouble?: string | undefined;
}

export const leaseMs = 15_000;
export const renewEveryMs = 5000;

export function findLeaseHolder(layout: Layout, nowMs: number): LeaseHolder | undefined {
  return holderOf(readClaim(layout.lease), nowMs);
}

/** Who took the lease last, and until when it holds in milliseconds since the epoch, whether or not that time is over. */
export function readLease(layout: Layout): { holder: LeaseHolder; until: number } | undefined {
  const claim = readClaim(layout.lease);
  const holder = claim && parseHolder(claim.text);
  return holder && { holder, until: claim.mtimeMs };
}

function holderOf(claim: Claim | undefined, nowMs: number): LeaseHolder | undefined {
  if (claim === undefined || claim.mtimeMs <= nowMs) return undefined;
  const holder = parseHolder(claim.text);
  if (holder === undefined) return undefined;
  // After the clock was set back, a living holder renews the lease within seconds. Its time alone would hold for hours.
  const isHeld = isVisible(holder) ? isSameProcess(holder) : claim.mtimeMs <= nowMs + 2 * leaseMs;
  return isHeld ? holder : undefined;
}

/** Whether this process can tell how the holder's is. */
export function isVisible({ host, pidSpace: space }: LeaseHolder): boolean {
  return host === hostName() && space === pidSpace();
}

/** Whether a holder that is visible from here still runs. */
export function isSameProcess({ pid, start }: LeaseHolder): boolean {
  return isAlive(pid) && (start === undefined || startOf(pid) === start);
}

export function takeLease(layout: Layout, clock: Clock): Lease | undefined {
  const holder: LeaseHolder = {
    token: uniqueName(clock.now()),
    pid: ownPid,
    host: hostName(),
    pidSpace: pidSpace(),
    startedAt: clock.now(),
    ...ownBirth(),
  };
  const text = textOf(holder);
  const tries = 3;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (createExclusive(layout.lease, text, clock.now() + leaseMs)) return makeLease(layout, clock, holder);
    const claim = readClaim(layout.lease);
    if (holderOf(claim, clock.now()) !== undefined) return undefined;
    if (claim !== undefined) dropClaim(layout.lease, claim, clock.now());
  }
  return undefined;
}

/** The shell hook reads the pid, then the host, then the trouble out of this text. */
function textOf({ trouble, ...holder }: LeaseHolder): string {
  return JSON.stringify({ ...holder, trouble });
}

function makeLease(layout: Layout, clock: Clock, holder: LeaseHolder): Lease {
  let text = textOf(holder);
  const isOurs = (): boolean => readClaim(layout.lease)?.text === text;
  return {
    renew() {
      // The owner is checked after the renewal, since a process that was frozen would otherwise renew another's lease.
      if (touch(layout.lease, clock.now() + leaseMs)) return isOurs();
      return createExclusive(layout.lease, text, clock.now() + leaseMs);
    },
    setTrouble(trouble) {
      const next = textOf({ ...holder, trouble });
      if (next === text || !isOurs()) return;
      writeWholeAt(layout.lease, next, clock.now() + leaseMs);
      text = next;
    },
    release() {
      if (isOurs()) removeIfThere(layout.lease);
    },
  };
}

function parseHolder(text: string): LeaseHolder | undefined {
  const { token, pid, host, pidSpace, startedAt, start, boot, bornAt, trouble } = objectIn(text);
  if (typeof token !== "string" || typeof host !== "string" || typeof pidSpace !== "string") return undefined;
  if (typeof pid !== "number" || typeof startedAt !== "number") return undefined;
  return {
    token,
    pid,
    host,
    pidSpace,
    startedAt,
    ...(typeof start === "string" && { start }),
    ...(typeof boot === "string" && { boot }),
    ...(typeof bornAt === "number" && { bornAt }),
    ...(typeof trouble === "string" && { trouble }),
  };
}

/** The lease while a dispatcher runs, renewed in the background and on demand. */
export interface HeldLease {
  /** Returns false once another dispatcher has taken over. */
  renew(): boolean;
  isLost(): boolean;
  /** Aborted when it is lost. */
  lost: AbortSignal;
  /** As the lease's own, but a disk that takes nothing is no reason to stop. */
  setTrouble(trouble: string | undefined): void;
  /** Ends the renewals. */
  stop(): void;
  /** Throws the system's error. */
  release(): void;
}

/** Another dispatcher waits for 15 seconds before it takes over, so what was seen a moment ago still holds. */
const seenForMs = 250;

export function holdLease(lease: Lease, clock: Clock): HeldLease {
  const lost = new AbortController();
  let seenAt = -Infinity;
  let cancel = (): void => {};
  const isLost = (): boolean => lost.signal.aborted;
  const renew = (): boolean => {
    const now = clock.now();
    // The clock may have been set back.
    if (isLost() || (now >= seenAt && now - seenAt < seenForMs)) return !isLost();
    if (lease.renew()) seenAt = now;
    else lost.abort();
    return !isLost();
  };
  const renewLater = (): void => {
    cancel = clock.after(renewEveryMs, () => {
      try {
        renew();
      } catch {
        // The next renewal may succeed.
      }
      if (!isLost()) renewLater();
    });
  };
  renewLater();
  return {
    renew,
    isLost,
    lost: lost.signal,
    setTrouble(trouble) {
      try {
        lease.setTrouble(trouble);
      } catch {
        // The journal says it, too.
      }
    },
    stop: () => cancel(),
    release: lease.release,
  };
}
