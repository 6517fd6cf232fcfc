import { join } from "node:path";
import { measureWaits, type Trial } from "./measure-waits.ts";
import { percentile } from "./percentile.ts";
import { missingForSlackScript, nodeFloorName, shellFloorName, type Programs } from "./programs.ts";
import type { Receiver } from "./receiver.ts";
import type { Program } from "./run-program.ts";
import { settingIn, type Setting } from "./setting.ts";
import { remarkRow, timeRow, type Floor, type Row } from "./table.ts";

const slowMs = 2000;
/** What takes seconds is run in some rounds only. */
const slowEveryRounds = 5;
/** Nothing listens on the port for discarding. */
const down = "http://127.0.0.1:9/";
const scriptName = "a script with jq and curl";

/** What the agent waits for, and when the receiver hears of it: by both hooks, and by what a person would write. */
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
  const cold = {
    node: settingIn(join(folder, "cold-node"), `${origin}/cold-node`),
    shell: settingIn(join(folder, "cold-shell"), `${origin}/cold-shell`),
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
  const coldNode = "hook in Node, no dispatcher yet";
  const coldShell = "hook for shells, no dispatcher yet";
  const byNode: Trial[] = [
    { what: nodeFloorName, program: programs.nodeFloor },
    { what: "hook in Node, its input in a file", program: programs.nodeHookOnFile(warm.down) },
    ...ofHook("hook in Node", programs.nodeHook),
    { what: coldNode, program: programs.nodeHook(cold.node), path: "/cold-node", cold: cold.node },
  ];
  const byShell: Trial[] = [
    { what: shellFloorName, program: programs.shellFloor },
    ...ofHook("hook for shells", programs.shellHook),
    { what: coldShell, program: programs.shellHook(cold.shell), path: "/cold-shell", cold: cold.shell },
    ...(missing.length === 0 ? ofScript : []),
  ];
  const trials = [...byNode, ...byShell];
  try {
    for (const setting of Object.values(warm)) await setting.start();
    const measured = await measureWaits(trials, rounds, receiver);
    const floorOf = (what: string, name: string): Floor => ({ name, value: percentile(measured(what).waits, 0.5) });
    const floors = { node: floorOf(nodeFloorName, "`node -e 0`"), shell: floorOf(shellFloorName, "`cat && mv`") };
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
    for (const setting of [...Object.values(warm), ...Object.values(cold)]) await setting.stop();
  }
}
