import { setTimeout as sleep } from "node:timers/promises";
import { nowMs } from "./now-ms.ts";
import type { Receiver } from "./receiver.ts";
import { runProgram, type Program } from "./run-program.ts";
import { stopping } from "./stopping.ts";

/** Longer than any lost message could take. */
const longestMs = 60_000;

/** How long it takes until so many at once have all ended, in milliseconds. */
export async function measureBurst(program: Program, count: number): Promise<number> {
  stopping.throwIfAborted();
  const startedAt = performance.now();
  // All of them end before anything else does, also when one has failed: what they may start has to be found.
  const ends = await Promise.allSettled(Array.from({ length: count }, () => runProgram(program)));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return performance.now() - startedAt;
}

export interface Burst {
  acceptedMs: number;
  /** Until the receiver had heard of them all. */
  heardMs: number;
  heardCount: number;
  /** Messages that came again, which is allowed but should not happen. */
  repeats: number;
}

export async function measureDeliveredBurst(
  program: Program,
  count: number,
  receiver: Receiver,
  path: string,
): Promise<Burst> {
  const { at, ids } = receiver.heard(path);
  const before = ids.size;
  const requestsBefore = at.length;
  const startedAt = nowMs();
  const acceptedMs = await measureBurst(program, count);
  while (ids.size < before + count && nowMs() - startedAt < longestMs) {
    stopping.throwIfAborted();
    await sleep(20);
  }
  const heardCount = ids.size - before;
  return {
    acceptedMs,
    heardMs: (at.at(-1) ?? Number.NaN) - startedAt,
    heardCount,
    repeats: at.length - requestsBefore - heardCount,
  };
}
