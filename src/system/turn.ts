import { codeOf } from "../model/errors.ts";
import type { Clock } from "./clock.ts";
import { createWhole } from "./create-whole.ts";
import { readIfThere, removeIfThere, renameIfThere, statIfThere } from "./files.ts";
import { uniqueName } from "./unique-name.ts";

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
  const seen = readIfThere(path);
  const stats = statIfThere(path);
  if (seen === undefined || stats === undefined) return;
  const ageMs = nowMs - stats.mtimeMs;
  // A time in the future is a clock that was set back.
  const isOverdue = ageMs > staleMs || ageMs < -staleMs;
  if (!isOverdue && isAlive(Number.parseInt(seen, 10))) return;
  // Renamed before it is looked at again: another may have replaced the stale claim with its own in between.
  const aside = `${path}.${uniqueName(nowMs)}`;
  if (!renameIfThere(path, aside)) return;
  const taken = readIfThere(aside);
  if (taken !== undefined && taken !== seen) createWhole(path, taken, nowMs);
  removeIfThere(aside);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
