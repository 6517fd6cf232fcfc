// The single executable beside the Node that is in it: start times of the same commands, and sizes.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fetchNode } from "../../scripts/node-versions.mjs";
import { ownPackageFolder } from "../../src/system/package.ts";
import { nodeFloorName, programsIn, type Program, type Programs } from "../programs.ts";
import type { Receiver } from "../receiver.ts";
import { type Setting, settingIn } from "../setting.ts";
import { type Floor, percentile, type Row, timeRow, valueRow } from "../table.ts";
import { measureWaits, type Trial } from "./waits.ts";

const nodeVersion = "26";
const commands = [
  ["--version"],
  ["hook", "--agent", "droid"],
  ["log"],
  ["status"],
  ["send", "All tests pass."],
] as const;

export async function reportExecutable(
  folder: string,
  { receiver, rounds }: { receiver: Receiver; rounds: number },
  say: (line: string) => void,
): Promise<Row[]> {
  const node = fetchNode(nodeVersion);
  if ("missing" in node) throw new Error(node.missing);
  const binary = join(folder, "hookbell");
  say("building the executable: half a minute");
  execFileSync(process.execPath, [join(ownPackageFolder(), "scripts", "build-binary.mjs"), binary], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const programs = programsIn(folder, node.path);
  const binaryName = "the executable";
  const nodeName = `Node ${node.version}`;
  const settings = {
    byNode: settingIn(join(folder, "node"), `${receiver.origin}/node`, node.path),
    byBinary: settingIn(join(folder, "binary"), `${receiver.origin}/binary`, node.path),
    coldNode: settingIn(join(folder, "cold-node"), `${receiver.origin}/cold-node`, node.path),
    coldBinary: settingIn(join(folder, "cold-binary"), `${receiver.origin}/cold-binary`, node.path),
  };
  const ofNode = (args: readonly string[]): Trial => ({
    what: `\`hookbell ${args[0]}\`, ${nodeName}`,
    program: programs.command(settings.byNode, ...args),
  });
  const ofBinary = (args: readonly string[]): Trial => ({
    what: `\`hookbell ${args[0]}\`, ${binaryName}`,
    program: onBinary(programs, binary, settings.byBinary, args),
  });
  const pairs = commands.flatMap((args) => [ofNode(args), ofBinary(args)]);
  const coldNode: Trial = {
    what: `no dispatcher yet, ${nodeName}`,
    program: programs.nodeHook(settings.coldNode),
    path: "/cold-node",
    cold: settings.coldNode,
  };
  const coldBinary: Trial = {
    what: `no dispatcher yet, ${binaryName}`,
    program: onBinary(programs, binary, settings.coldBinary, ["hook", "--agent", "droid"]),
    path: "/cold-binary",
    cold: settings.coldBinary,
  };
  const floorTrial: Trial = { what: nodeFloorName, program: programs.nodeFloor };
  try {
    await settings.byNode.start();
    await settings.byBinary.start();
    say(`start times, ${rounds} rounds: half a minute`);
    const measured = await measureWaits([floorTrial, ...pairs, coldNode, coldBinary], rounds, receiver);
    const floor: Floor = { name: nodeFloorName, value: percentile(measured(nodeFloorName).waits, 0.5) };
    const nodeMegabytes: Floor = { name: nodeName, value: megabytesOf(node.path) };
    return [
      timeRow(`${nodeFloorName}, ${nodeName}`, measured(nodeFloorName).waits, floor),
      ...pairs.map(({ what }) => timeRow(what, measured(what).waits, floor)),
      ...[coldNode, coldBinary].map(({ what }) =>
        timeRow(`until the receiver hears: ${what}`, measured(what).arrivals, floor),
      ),
      valueRow("size of Node", nodeMegabytes.value, "MB", nodeMegabytes),
      valueRow(`size of ${binaryName}`, megabytesOf(binary), "MB", nodeMegabytes),
    ];
  } finally {
    for (const setting of Object.values(settings)) await setting.stop();
  }
}

function onBinary(programs: Programs, binary: string, setting: Setting, args: readonly string[]): Program {
  return { ...programs.command(setting), argv: [binary, ...args] };
}

function megabytesOf(path: string): number {
  return statSync(path).size / 1e6;
}
