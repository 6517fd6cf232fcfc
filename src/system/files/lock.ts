import { codeOf } from "../../model/errors.ts";
import type { Clock } from "../clock.ts";
import { isAlive } from "../process/identity.ts";
import { uniqueName } from "../unique-name.ts";
import { createWhole } from "./create-exclusive.ts";
import { readIfThere, removeIfThere, removeTree, renameIfThere, statIfThere } from "./files.ts";

/** A file by which one process of many says that something is its own: the lease, a turn. */
export interface Claim {
  text: string;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
}

/** The claim as it is now, or undefined when there is none. What cannot be read, such as a folder, claims nothing. */
export function readClaim(path: string): Claim | undefined {
  try {
    // Should another replace it in between, its time would be the older one's, which `dropClaim` notices.
    const stats = statIfThere(path);
    const text = readIfThere(path);
    return stats === undefined || text === undefined ? undefined : { text, mtimeMs: stats.mtimeMs };
  } catch (error) {
    if (!unreadable.has(codeOf(error))) throw error;
    return { text: "", mtimeMs: 0 };
  }
}

/** Others, such as EIO, are the disk's trouble, and pass. */
const unreadable: ReadonlySet<string | undefined> = new Set(["EISDIR", "ELOOP", "EACCES", "EPERM"]);

/**
 * Takes a claim away that was found stale. Renamed before it is looked at again: another may have replaced or renewed it
 * since, and then it is put back.
 */
export function dropClaim(path: string, stale: Claim, nowMs: number): void {
  const aside = `${path}.stale-${uniqueName(nowMs)}`;
  if (!renameIfThere(path, aside)) return;
  const moved = readClaim(aside);
  if (moved !== undefined && (moved.text !== stale.text || moved.mtimeMs !== stale.mtimeMs)) {
    createWhole(path, moved.text, moved.mtimeMs);
  }
  removeTree(aside);
}

export interface TurnOptions {
  clock: Clock;
  /** How long to wait for whoever has the turn. */
  waitMs: number;
  /** Whoever has had it for longer than this has lost it. */
  staleMs: number;
  signal: AbortSignal;
}

const pollMs = 40;

/**
 * Waits until this caller alone has the turn, across processes; the returned function gives it back. Undefined when
 * others had it all the time. The file at `path` says who has it; a dead or overdue holder's is taken away.
 */
export async function takeTurn(path: string, options: TurnOptions): Promise<(() => void) | undefined> {
  const { clock, signal } = options;
  const mine = `${process.pid} ${uniqueName(clock.now())}`;
  const deadline = clock.now() + options.waitMs;
  for (;;) {
    if (signal.aborted) return undefined;
    if (createWhole(path, mine, clock.now())) return () => giveBack(path, mine);
    dropStale(path, clock.now(), options.staleMs);
    if (clock.now() >= deadline) return undefined;
    await new Promise<void>((resolve) => clock.after(pollMs, resolve));
  }
}

function giveBack(path: string, mine: string): void {
  if (readIfThere(path) === mine) removeIfThere(path);
}

function dropStale(path: string, nowMs: number, staleMs: number): void {
  const claim = readClaim(path);
  if (claim === undefined) return;
  const ageMs = nowMs - claim.mtimeMs;
  // A time in the future is a clock that was set back.
  const isOverdue = ageMs > staleMs || ageMs < -staleMs;
  if (isOverdue || !isAlive(Number.parseInt(claim.text, 10))) dropClaim(path, claim, nowMs);
}
