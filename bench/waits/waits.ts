// What the agent waits for, and when the receiver hears: by both hooks, and by a script that a user would write.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  missingForSlackScript,
  nodeFloorName,
  type Program,
  type Programs,
  runProgram,
  shellFloorName,
} from "../programs.ts";
import { nowMs, type Receiver } from "../receiver.ts";
import { type Setting, settingIn } from "../setting.ts";
import { stopping } from "../stopping.ts";
import { type Floor, percentile, remarkRow, type Row, timeRow } from "../table.ts";

export interface Trial {
  what: string;
  program: Program;
  /** Where the receiver hears of it, when that is measured too. */
  path?: string;
  /** Its dispatcher is ended again, so that the next run has to start another. */
  cold?: Setting;
  /** 4: in every fourth round, for what takes seconds. */
  everyRounds?: number;
}

/** All in milliseconds. */
interface Measured {
  waits: number[];
  arrivals: number[];
}

/** A run of four milliseconds is measured while nothing else is at work. */
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
    // Each follows another neighbour in every round.
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

const slowMs = 2000;
const slowEveryRounds = 5;
/** Nothing listens on the port for discarding. */
const down = "http://127.0.0.1:9/";
const scriptName = "a script with jq and curl";

export async function reportWaits(
  programs: Programs,
  { folder, receiver, rounds }: { folder: string; receiver: Receiver; rounds: number },
): Promise<Row[]> {
  const { origin } = receiver;
  const warm = {
    fast: settingIn(join(folder, "fast"), `${origin}/fast`),
    slow: settingIn(join(folder, "slow"), `${origin}/slow/${slowMs}`),
    down: settingIn(join(folder, "down"), down),
  };
  const ofHook = (name: string, hook: (setting: Setting) => Program): Trial[] => [
    { what: `${name}, receiver answers at once`, program: hook(warm.fast), path: "/fast" },
    { what: `${name}, receiver takes ${slowMs / 1000} s`, program: hook(warm.slow) },
    { what: `${name}, receiver is down`, program: hook(warm.down) },
  ];
  const missing = missingForSlackScript();
  const script = programs.slackScript;
  const ofScript: Trial[] = [
    { what: `${scriptName}, receiver answers at once`, program: script(`${origin}/script`), path: "/script" },
    {
      what: `${scriptName}, receiver takes ${slowMs / 1000} s`,
      program: script(`${origin}/slow/${slowMs}/script`),
      everyRounds: slowEveryRounds,
    },
    { what: `${scriptName}, receiver is down: its message is lost`, program: script(down) },
  ];
  const byNode: Trial[] = [
    { what: nodeFloorName, program: programs.nodeFloor },
    { what: "hook in Node, its input in a file", program: programs.nodeHookOnFile(warm.down) },
    ...ofHook("hook in Node", programs.nodeHook),
  ];
  const byShell: Trial[] = [
    { what: shellFloorName, program: programs.shellFloor },
    ...ofHook("hook for shells", programs.shellHook),
    ...(missing.length === 0 ? ofScript : []),
  ];
  const trials = [...byNode, ...byShell];
  try {
    for (const setting of Object.values(warm)) await setting.start();
    const measured = await measureWaits(trials, rounds, receiver);
    const floorOf = (what: string, name: string): Floor => ({ name, value: percentile(measured(what).waits, 0.5) });
    const floors = { node: floorOf(nodeFloorName, nodeFloorName), shell: floorOf(shellFloorName, "`cat && mv`") };
    const waitRow = ({ what }: Trial, floor: Floor): Row => timeRow(what, measured(what).waits, floor);
    const without = missing.length === 0 ? [] : [remarkRow(scriptName, `not here: no ${missing.join(", no ")}`)];
    const heard = trials.filter(({ path }) => path !== undefined);
    return [
      ...byNode.map((trial) => waitRow(trial, floors.node)),
      ...byShell.map((trial) => waitRow(trial, floors.shell)),
      ...without,
      ...heard.map(({ what }) => timeRow(`until the receiver hears: ${what}`, measured(what).arrivals, floors.node)),
    ];
  } finally {
    for (const setting of Object.values(warm)) await setting.stop();
  }
}
