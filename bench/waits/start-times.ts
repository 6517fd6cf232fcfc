// How long each command takes to start and do its work, as ratios to the goals of the project.
import { mkdirSync } from "node:fs";
import { nodeFloorName, programsIn, shellFloorName } from "../programs.ts";
import type { Receiver } from "../receiver.ts";
import { settingIn } from "../setting.ts";
import { type Floor, percentile, type Row, timeRow } from "../table.ts";
import { measureWaits, type Trial } from "./waits.ts";

const catFloorName = "`sh -c 'cat status-line'`";

/** The highest ratio that the project wants, to `node -e 0` or to `cat && mv`. */
const goals = { hook: 1.3, hookByCli: 1.4, words: 1.4, work: 2.2, coldDispatcher: 5, shellHook: 1.3, statusLine: 1.3 };

export async function reportStartTimes(
  nodePath: string,
  { folder, receiver, rounds }: { folder: string; receiver: Receiver; rounds: number },
): Promise<Row[]> {
  mkdirSync(folder);
  const programs = programsIn(folder, nodePath);
  const { origin } = receiver;
  // Paths of its own, since each Node is measured in its turn.
  const paths = { warm: `${folder}/warm`, coldNode: `${folder}/cold-node`, coldShell: `${folder}/cold-shell` };
  const settingAt = (path: string) => settingIn(path, `${origin}${path}`, nodePath);
  const warm = settingAt(paths.warm);
  const cold = { node: settingAt(paths.coldNode), shell: settingAt(paths.coldShell) };
  const goalOf = new Map<string, number>();
  const trial = (what: string, program: Trial["program"], goal?: number): Trial => {
    if (goal !== undefined) goalOf.set(what, goal);
    return { what, program };
  };
  const byNode: Trial[] = [
    trial(nodeFloorName, programs.nodeFloor),
    trial("a bare script that reads standard input, writes and renames a file", programs.bareScript),
    trial("`node dist/hook.cjs`", programs.nodeHook(warm), goals.hook),
    trial("`hookbell hook`", programs.command(warm, "hook", "--agent", "droid"), goals.hookByCli),
    trial("`hookbell --version`", programs.command(warm, "--version"), goals.words),
    trial("`hookbell --help`", programs.command(warm, "--help"), goals.words),
    trial("`hookbell status`", programs.command(warm, "status"), goals.work),
    trial("`hookbell log`", programs.command(warm, "log"), goals.work),
    trial("`hookbell send`", programs.command(warm, "send", "All tests pass."), goals.work),
    trial("`hookbell test`", programs.command(warm, "test"), goals.work),
  ];
  const byShell: Trial[] = [
    trial(shellFloorName, programs.shellFloor),
    trial("hook for shells", programs.shellHook(warm), goals.shellHook),
    trial("hook of a plug-in", programs.plugInHook(warm), goals.shellHook),
  ];
  const byBar: Trial[] = [
    trial(catFloorName, programs.catFloor(warm)),
    trial("the status line's script", programs.statusLine(warm), goals.statusLine),
  ];
  const coldTrials: Trial[] = [
    {
      what: "`node dist/hook.cjs`, no dispatcher yet",
      program: programs.nodeHook(cold.node),
      path: paths.coldNode,
      cold: cold.node,
    },
    {
      what: "hook for shells, no dispatcher yet",
      program: programs.shellHook(cold.shell),
      path: paths.coldShell,
      cold: cold.shell,
    },
  ];
  try {
    await warm.start();
    const measured = await measureWaits([...byNode, ...byShell, ...byBar, ...coldTrials], rounds, receiver);
    const medianOf = (what: string): number => percentile(measured(what).waits, 0.5);
    const node: Floor = { name: nodeFloorName, value: medianOf(nodeFloorName) };
    const shell: Floor = { name: "`cat && mv`", value: medianOf(shellFloorName) };
    const cat: Floor = { name: "`cat`", value: medianOf(catFloorName) };
    const rowsOf = (trials: readonly Trial[], floor: Floor): Row[] =>
      trials.map(({ what }) => timeRow(what, measured(what).waits, floor, goalOf.get(what)));
    return [
      ...rowsOf(byNode, node),
      ...coldTrials.map(({ what }) =>
        timeRow(`until the receiver hears: ${what}`, measured(what).arrivals, node, goals.coldDispatcher),
      ),
      ...rowsOf(byShell, shell),
      ...rowsOf(byBar, cat),
    ];
  } finally {
    for (const setting of [warm, ...Object.values(cold)]) await setting.stop();
  }
}
