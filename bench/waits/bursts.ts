// Two hundred hooks at once, beside as many floors at once, while the dispatcher is at work.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Program, type Programs, runProgram } from "../programs.ts";
import { nowMs, type Receiver } from "../receiver.ts";
import { type Setting, settingIn } from "../setting.ts";
import { stopping } from "../stopping.ts";
import { percentile, type Row, timeRow } from "../table.ts";

interface Contest {
  name: string;
  hook: (setting: Setting) => Program;
  floor: Program;
  /** Two hundred starts of Node take many seconds. */
  rounds: number;
}

export async function reportBursts(
  programs: Programs,
  { folder, receiver, count }: { folder: string; receiver: Receiver; count: number },
): Promise<Row[]> {
  const contests: Contest[] = [
    { name: "hook in Node", hook: programs.nodeHook, floor: programs.nodeFloor, rounds: 2 },
    { name: "hook for shells", hook: programs.shellHook, floor: programs.shellFloorAtOnce, rounds: 5 },
  ];
  const rows: Row[] = [];
  for (const [index, { name, hook, floor, rounds }] of contests.entries()) {
    const path = `/burst-${index}`;
    const setting = settingIn(join(folder, `burst-${index}`), `${receiver.origin}${path}`);
    try {
      await setting.start();
      const floors: number[] = [];
      const accepted: number[] = [];
      const heard: number[] = [];
      let heardCount = 0;
      let repeats = 0;
      for (let round = 0; round < rounds; round += 1) {
        floors.push(await measureBurst(floor, count));
        const burst = await measureDeliveredBurst(hook(setting), count, receiver, path);
        accepted.push(burst.acceptedMs);
        heard.push(burst.heardMs);
        heardCount += burst.heardCount;
        repeats += burst.repeats;
      }
      const atOnce = { name: `${count} of its floor at once`, value: percentile(floors, 0.5) };
      rows.push(
        timeRow(`${count} at once, ${name}: until all are accepted`, accepted, atOnce),
        timeRow(`${count} at once, ${name}: heard ${heardCount} of ${count * rounds}, ${repeats} again`, heard, atOnce),
      );
    } finally {
      await setting.stop();
    }
  }
  return rows;
}

/** In milliseconds, until all have ended. */
async function measureBurst(program: Program, count: number): Promise<number> {
  stopping.throwIfAborted();
  const startedAt = performance.now();
  // All of them end first, also when one has failed: what they may start has to be found.
  const ends = await Promise.allSettled(Array.from({ length: count }, () => runProgram(program)));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return performance.now() - startedAt;
}

interface Burst {
  acceptedMs: number;
  /** Until the receiver had heard of them all. */
  heardMs: number;
  heardCount: number;
  /** Messages that came twice, which is allowed but should not happen. */
  repeats: number;
}

/** Longer than any lost message could take. */
const longestMs = 60_000;

async function measureDeliveredBurst(
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
