import { createWhole } from "../system/create-whole.ts";
import { readIfThere, removeIfThere, renameIfThere, statIfThere, touch } from "../system/files.ts";
import { hostName, isAlive, ownPid, pidSpace } from "../system/host.ts";
import { uniqueName } from "../system/unique-name.ts";
import type { Clock } from "../system/clock.ts";
import type { Layout } from "./layout.ts";

/**
 * The single dispatcher's claim: a file whose modification time lies in the future by the lease's length, so that a
 * shell script can test it with `[ lease -nt file ]`.
 */
export interface Lease {
  /** Prolongs it; false when another dispatcher has taken over, after which nothing more may be sent. */
  renew(): boolean;
  release(): void;
}

export interface LeaseHolder {
  token: string;
  pid: number;
  host: string;
  /** Which process ids it counts in: containers on one host, or one host's reboots, have others. */
  pidSpace: string;
  startedAt: number;
}

export const leaseMs = 15_000;
/** Often enough that two renewals may be missed. */
export const renewEveryMs = 5000;

/** Who holds the lease now, or undefined when nobody does. */
export function findLeaseHolder(layout: Layout, nowMs: number): LeaseHolder | undefined {
  const stats = statIfThere(layout.lease);
  if (stats === undefined || stats.mtimeMs <= nowMs) return undefined;
  // So far ahead only a clock that was turned back can be: the holder renews to a sane time, or is gone.
  if (stats.mtimeMs > nowMs + 2 * leaseMs) return undefined;
  const holder = parseHolder(readIfThere(layout.lease));
  if (holder === undefined) return undefined;
  // A process that we could not see even if it lived counts by its time alone.
  const isVisible = holder.host === hostName() && holder.pidSpace === pidSpace();
  return !isVisible || isAlive(holder.pid) ? holder : undefined;
}

/** The lease, or undefined when another dispatcher holds it. */
export function takeLease(layout: Layout, clock: Clock): Lease | undefined {
  const holder: LeaseHolder = {
    token: uniqueName(clock.now()),
    pid: ownPid,
    host: hostName(),
    pidSpace: pidSpace(),
    startedAt: clock.now(),
  };
  // The shell's hook reads the pid and the host out of this text, in this order.
  const text = JSON.stringify(holder);
  const tries = 3;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (createWhole(layout.lease, text, clock.now() + leaseMs)) return makeLease(layout, clock, text);
    if (findLeaseHolder(layout, clock.now()) !== undefined) return undefined;
    clearStale(layout, holder.token, clock);
  }
  return undefined;
}

/** Moves a stale lease away; puts it back when somebody had renewed or replaced it in that instant. */
function clearStale(layout: Layout, token: string, clock: Clock): void {
  const before = readIfThere(layout.lease);
  const aside = `${layout.lease}.stale-${token}`;
  if (!renameIfThere(layout.lease, aside)) return;
  const moved = readIfThere(aside);
  if (moved !== undefined && moved !== before) createWhole(layout.lease, moved, clock.now() + leaseMs);
  removeIfThere(aside);
}

function makeLease(layout: Layout, clock: Clock, text: string): Lease {
  return {
    renew() {
      const found = readIfThere(layout.lease);
      if (found === text) return touch(layout.lease, clock.now() + leaseMs);
      return found === undefined && createWhole(layout.lease, text, clock.now() + leaseMs);
    },
    release() {
      if (readIfThere(layout.lease) === text) removeIfThere(layout.lease);
    },
  };
}

function parseHolder(text: string | undefined): LeaseHolder | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { token, pid, host, pidSpace: space, startedAt } = value as Partial<Record<keyof LeaseHolder, unknown>>;
    return typeof token === "string" &&
      typeof pid === "number" &&
      typeof host === "string" &&
      typeof space === "string" &&
      typeof startedAt === "number"
      ? { token, pid, host, pidSpace: space, startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}
