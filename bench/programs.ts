// The programs that are compared, and how long a caller waits for one.
import { spawn } from "node:child_process";
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookScriptName, scriptText } from "../src/install/hook-script.ts";
import { statusLineName } from "../src/outbox/layout.ts";
import { ownPackageFolder } from "../src/system/package.ts";
import { findProgram } from "../src/system/process/find-program.ts";
import type { Setting } from "./setting.ts";

export interface Program {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Instead of the usual payload. */
  input?: string;
  /** The payload comes from this file instead of a socket, which is what Node calls a pipe. */
  inputFile?: string;
  /** It ends with an error where its receiver is down. */
  mayFail?: boolean;
}

/** What a shell runs is run by `sh -c`, as agents do. */
export interface Programs {
  nodeFloor: Program;
  /** The least that a hook in Node can do: reads standard input, writes a file, renames it. */
  bareScript: Program;
  shellFloor: Program;
  /** The same with a file of its own, so that many may run at once. */
  shellFloorAtOnce: Program;
  nodeHook(setting: Setting): Program;
  nodeHookOnFile(setting: Setting): Program;
  shellHook(setting: Setting): Program;
  plugInHook(setting: Setting): Program;
  /** What a status bar runs, and the least that it could: showing a small file. */
  statusLine(setting: Setting): Program;
  catFloor(setting: Setting): Program;
  command(setting: Setting, ...args: readonly string[]): Program;
  slackScript(url: string): Program;
}

export const nodeFloorName = "`node -e 0`";
export const shellFloorName = "`sh -c 'cat >f.tmp && mv f.tmp f'`";

/** As Claude Code and Droid send it when a turn ends. */
const payload = JSON.stringify({
  hook_event_name: "Stop",
  session_id: "5f0c8a52-bench",
  cwd: "/home/you/shop-web",
  last_assistant_message: "All tests pass.",
});

const bareScript = `const { renameSync, writeFileSync } = require("node:fs");
let text = "";
process.stdin.on("data", (chunk) => (text += chunk));
process.stdin.on("end", () => {
  writeFileSync("bare.tmp", text);
  renameSync("bare.tmp", "bare");
});
`;

/** Made in this folder, for this Node. */
export function programsIn(folder: string, nodePath: string): Programs {
  const dist = join(ownPackageFolder(), "dist");
  const hookPath = join(dist, "hook.cjs");
  const scriptPath = join(folder, "hookbell-hook.sh");
  writeFileSync(scriptPath, scriptText({ nodePath, hookPath }), { mode: 0o700 });
  const plugInPath = join(folder, "plug-in", "bin", "hookbell");
  mkdirSync(dirname(plugInPath), { recursive: true });
  copyFileSync(join(ownPackageFolder(), "hooks", hookScriptName("linux")), plugInPath);
  chmodSync(plugInPath, 0o700);
  symlinkSync(dist, join(folder, "plug-in", "dist"));
  const barePath = join(folder, "bare.cjs");
  writeFileSync(barePath, bareScript);
  const slackPath = join(ownPackageFolder(), "bench", "peers", "slack-script.sh");
  const inputFile = join(folder, "payload.json");
  writeFileSync(inputFile, payload);
  const common = { env: process.env, cwd: folder };
  const nodeHook = ({ env }: Setting): Program => ({ ...common, env, argv: [nodePath, hookPath, "--agent", "droid"] });
  return {
    nodeFloor: { ...common, argv: [nodePath, "-e", "0"] },
    bareScript: { ...common, argv: [nodePath, barePath] },
    shellFloor: { ...common, argv: ["sh", "-c", "cat >f.tmp && mv f.tmp f"] },
    shellFloorAtOnce: { ...common, argv: ["sh", "-c", "cat >f$$.tmp && mv f$$.tmp f$$"] },
    nodeHook,
    nodeHookOnFile: (setting) => ({ ...nodeHook(setting), inputFile }),
    shellHook: ({ env }) => ({ ...common, env, argv: ["sh", "-c", `'${scriptPath}' --agent droid`] }),
    plugInHook: ({ env }) => ({
      ...common,
      env,
      argv: ["sh", "-c", `'${plugInPath}' hook --agent droid --by plugin`],
    }),
    statusLine: ({ env, layout }) => ({ ...common, env, argv: ["sh", "-c", `'${join(layout.root, statusLineName)}'`] }),
    catFloor: ({ env, layout }) => ({
      ...common,
      env,
      argv: ["sh", "-c", `cat '${join(layout.root, statusLineName)}'`],
    }),
    command: ({ env }, ...args) => ({ ...common, env, argv: [nodePath, join(dist, "cli.js"), ...args] }),
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

/** In milliseconds, until the program has ended and its pipes are closed. */
export function runProgram({
  argv,
  env,
  cwd,
  input: text = payload,
  inputFile,
  mayFail = false,
}: Program): Promise<number> {
  const [program = "", ...args] = argv;
  const input = inputFile === undefined ? "pipe" : openSync(inputFile, "r");
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: [input, "pipe", "pipe"] });
    if (typeof input === "number") closeSync(input);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.on("error", reject);
    child.stdin?.on("error", () => {});
    child.stdin?.end(text);
    child.on("close", (code) => {
      if (code === 0 || mayFail) resolve(performance.now() - startedAt);
      else reject(new Error(`${argv.join(" ")} ended with ${code}: ${said}`));
    });
  });
}
