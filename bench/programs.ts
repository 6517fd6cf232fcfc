import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptText } from "../src/install/hook-script.ts";
import { findProgram } from "../src/system/process/find-program.ts";
import { ownPackageFolder } from "../src/system/package.ts";
import { payload, type Program } from "./run-program.ts";
import type { Setting } from "./setting.ts";

/** What is compared. Everything a shell runs is run by `sh -c`, as agents do. */
export interface Programs {
  nodeFloor: Program;
  shellFloor: Program;
  /** The same with names of its own, so that many may run at once. */
  shellFloorAtOnce: Program;
  nodeHook(setting: Setting): Program;
  /** The same, its input in a file: what it costs where no socket has to be opened for reading. */
  nodeHookOnFile(setting: Setting): Program;
  shellHook(setting: Setting): Program;
  slackScript(url: string): Program;
}

export const nodeFloorName = "`node -e 0`";
export const shellFloorName = "`sh -c 'cat >f.tmp && mv f.tmp f'`";

export function programsIn(folder: string): Programs {
  const hookPath = join(ownPackageFolder(), "dist", "hook.cjs");
  const scriptPath = join(folder, "hookbell-hook.sh");
  writeFileSync(scriptPath, scriptText({ nodePath: process.execPath, hookPath }), { mode: 0o700 });
  const slackPath = join(ownPackageFolder(), "bench", "slack-script.sh");
  const inputFile = join(folder, "payload.json");
  writeFileSync(inputFile, payload);
  const common = { env: process.env, cwd: folder };
  const nodeHook = ({ env }: Setting): Program => ({
    ...common,
    env,
    argv: [process.execPath, hookPath, "--agent", "droid"],
  });
  return {
    nodeFloor: { ...common, argv: [process.execPath, "-e", "0"] },
    shellFloor: { ...common, argv: ["sh", "-c", "cat >f.tmp && mv f.tmp f"] },
    shellFloorAtOnce: { ...common, argv: ["sh", "-c", "cat >f$$.tmp && mv f$$.tmp f$$"] },
    nodeHook,
    nodeHookOnFile: (setting) => ({ ...nodeHook(setting), inputFile }),
    shellHook: ({ env }) => ({ ...common, env, argv: ["sh", "-c", `'${scriptPath}' --agent droid`] }),
    slackScript: (url) => ({
      ...common,
      env: { ...process.env, SLACK_WEBHOOK_URL: url },
      argv: ["sh", "-c", `'${slackPath}'`],
      mayFail: true,
    }),
  };
}

/** Programs that the Slack script needs and this machine lacks. */
export function missingForSlackScript(): string[] {
  return ["jq", "curl"].filter((program) => findProgram(program, process.env, process.platform) === undefined);
}
