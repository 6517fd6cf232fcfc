import { setTimeout as sleep } from "node:timers/promises";
import { nowMs } from "./now-ms.ts";
import type { Receiver } from "./receiver.ts";
import { runProgram, type Program } from "./run-program.ts";
import type { Setting } from "./setting.ts";
import { stopping } from "./stopping.ts";

export interface Trial {
  what: string;
  program: Program;
  /** Where the receiver hears of it, when that is measured too. */
  path?: string;
  /** Its dispatcher is ended again, so that the next one has to start another. */
  cold?: Setting;
  /** 1: in every round; 4: in every fourth, for what takes seconds. */
  everyRounds?: number;
}

/** All in milliseconds. */
export interface Measured {
  waits: number[];
  arrivals: number[];
}

/** What takes four milliseconds is measured while nothing else is at work. */
const settleMs = 60;
const warmUpRounds = 2;

/** Round by round, so that a noisy minute of the machine falls on all alike. */
export async function measureWaits(
  trials: readonly Trial[],
  rounds: number,
  receiver: Receiver,
): Promise<(what: string) => Measured> {
  const measured = new Map(trials.map(({ what }) => [what, { waits: [], arrivals: [] } as Measured]));
  const of = (what: string): Measured => measured.get(what) ?? { waits: [], arrivals: [] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // Nobody always comes after the same neighbour.
    const turn = (round + warmUpRounds) % trials.length;
    for (const { what, program, path, cold, everyRounds = 1 } of [...trials.slice(turn), ...trials.slice(0, turn)]) {
      if (round % everyRounds !== 0) continue;
      stopping.throwIfAborted();
      await sleep(settleMs);
      const startedAt = nowMs();
      const waitMs = await runProgram(program);
      const arrivalMs = path === undefined ? undefined : (await receiver.next(path)) - startedAt;
      await cold?.stop();
      if (round < 0) continue;
      of(what).waits.push(waitMs);
      if (arrivalMs !== undefined) of(what).arrivals.push(arrivalMs);
    }
  }
  return of;
}
