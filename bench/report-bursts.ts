import { join } from "node:path";
import { measureBurst, measureDeliveredBurst } from "./measure-burst.ts";
import type { Programs } from "./programs.ts";
import type { Receiver } from "./receiver.ts";
import type { Program } from "./run-program.ts";
import { settingIn, type Setting } from "./setting.ts";
import { timeRow, type Row } from "./table.ts";
import { percentile } from "./percentile.ts";

interface Contest {
  name: string;
  hook: (setting: Setting) => Program;
  floor: Program;
  /** Two hundred starts of Node take many seconds. */
  rounds: number;
}

/** So many hooks at once, beside as many floors at once; the dispatcher is at work. */
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
