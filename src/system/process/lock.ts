// A file by which one process of many claims something: the lease, a lock.
import { codeOf } from "../../model/errors.ts";
import { type Clock, sleep } from "../clock.ts";
import { isAlive } from "./identity.ts";
import { removeIfThere, removeTree, renameIfThere, statIfThere, uniqueName } from "../files/files.ts";
import { createExclusive } from "../files/create-exclusive.ts";
import { isLink } from "../files/inspect-path.ts";
import { notRegular, readIfThere } from "../files/read.ts";

export interface Claim {
  text: string;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
}

/** What cannot be read, such as a folder, claims nothing; nor does a link, which hookbell never makes. */
export function readClaim(path: string): Claim | undefined {
  try {
    if (isLink(path)) return { text: "", mtimeMs: 0 };
    const stats = statIfThere(path);
    const text = readIfThere(path);
    return stats === undefined || text === undefined ? undefined : { text, mtimeMs: stats.mtimeMs };
  } catch (error) {
    if (!unreadable.has(codeOf(error))) throw error;
    return { text: "", mtimeMs: 0 };
  }
}

/** Other errors, such as EIO, are passed on. */
const unreadable: ReadonlySet<string | undefined> = new Set([notRegular, "EFBIG", "ELOOP", "EACCES", "EPERM"]);

/** Renames the claim first, and puts it back when another process has replaced or renewed it. */
export function dropClaim(path: string, stale: Claim, nowMs: number): void {
  const aside = `${path}.stale-${uniqueName(nowMs)}`;
  if (!renameIfThere(path, aside)) return;
  const moved = readClaim(aside);
  if (moved !== undefined && (moved.text !== stale.text || moved.mtimeMs !== stale.mtimeMs)) {
    createExclusive(path, moved.text, moved.mtimeMs);
  }
  removeTree(aside);
}

export interface LockOptions {
  clock: Clock;
  /** How long to wait for the holder. */
  waitMs: number;
  /** A lock older than this is stale. */
  staleMs: number;
  /** How often to look whether it is free. */
  pollMs?: number;
  signal: AbortSignal;
}

const usualPollMs = 40;

/** Undefined if others held the lock all the time; the returned function gives it back. */
export async function takeLock(path: string, options: LockOptions): Promise<(() => void) | undefined> {
  const { clock, signal } = options;
  const mine = `${process.pid} ${uniqueName(clock.now())}`;
  const deadline = clock.now() + options.waitMs;
  for (;;) {
    if (signal.aborted) return undefined;
    if (createExclusive(path, mine, clock.now())) return () => giveBack(path, mine);
    const claim = readClaim(path);
    const isStale =
      claim !== undefined &&
      (clock.now() - claim.mtimeMs > options.staleMs || !isAlive(Number.parseInt(claim.text, 10)));
    if (isStale) dropClaim(path, claim, clock.now());
    if (clock.now() >= deadline) return undefined;
    await sleep(clock, options.pollMs ?? usualPollMs, signal);
  }
}

function giveBack(path: string, mine: string): void {
  if (readIfThere(path) === mine) removeIfThere(path);
}
