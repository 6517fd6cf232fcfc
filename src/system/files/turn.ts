import { dropClaim, readClaim } from "./lock.ts";
import type { Clock } from "../clock.ts";
import { createWhole } from "./create-exclusive.ts";
import { readIfThere, removeIfThere } from "./files.ts";
import { isAlive } from "../process/identity.ts";
import { uniqueName } from "../unique-name.ts";

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
