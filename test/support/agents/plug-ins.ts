// The plug-ins as a release publishes them, and their hooks as agents run them.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { findHookSetup } from "../../../src/agents/hook-setups.ts";
import { findPart } from "../parts.ts";
import { end, type Ended, type Project } from "../project/running-project.ts";

const script = fileURLToPath(new URL("../../../scripts/release/plug-ins.mjs", import.meta.url));

/** Built once for the tests of a file; the function returns the folder. */
export function plugInsForFile(): () => string {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "hookbell-plug-ins-"));
    execFileSync(process.execPath, [script, folder]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Where each agent's plug-in has its hooks, and what the agent fills in for the plug-in's folder; Cursor runs hooks there. */
const places: Record<string, { file: string; variable?: string }> = {
  "claude-code": { file: "hooks/hooks.json", variable: "CLAUDE_PLUGIN_ROOT" },
  droid: { file: "hooks/hooks.json", variable: "DROID_PLUGIN_ROOT" },
  codex: { file: "hooks/hooks.json", variable: "PLUGIN_ROOT" },
  "gemini-cli": { file: "hooks/hooks.json", variable: "extensionPath" },
  "copilot-cli": { file: "hooks.json", variable: "CLAUDE_PLUGIN_ROOT" },
  cursor: { file: "hooks/hooks.json" },
};

export interface InstalledPlugIn {
  folder: string;
  program: string;
  events: string[];
  /** Runs the event's hook as the agent would, with nothing on PATH but a few programs, and Node. */
  hook(event: string, input: string, env?: NodeJS.ProcessEnv): Promise<Ended>;
  run(...args: string[]): Promise<Ended>;
  /** The folder that is the whole of PATH. */
  bin: string;
}

/** A copy of the plug-in in the project's home. `node`: what PATH has as Node. */
export function installPlugIn(plugIns: string, agent: string, project: Project, node?: string): InstalledPlugIn {
  const folder = join(project.home, "plug-ins", agent);
  cpSync(join(plugIns, agent), folder, { recursive: true });
  const bin = join(project.home, "bin");
  mkdirSync(bin, { recursive: true });
  for (const program of ["sh", "cat", "mv", "mkdir", "rm", "find", "sleep", "setsid"]) {
    symlinkSync(findPart(program) ?? "/nowhere", join(bin, program));
  }
  if (node !== undefined) symlinkSync(node, join(bin, "node"));
  const { file, variable } = places[agent] ?? { file: "" };
  const { hooks } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { hooks: Record<string, unknown> };
  const key = findHookSetup(agent)?.entry.commandKey ?? "command";
  const start = (argv: [string, ...string[]], input: string, env: NodeJS.ProcessEnv): Promise<Ended> => {
    const [program, ...args] = argv;
    const work = join(project.home, "work");
    mkdirSync(work, { recursive: true });
    const cwd = variable === undefined ? folder : work;
    const all = { ...project.env, PATH: bin, ...(variable === undefined ? {} : { [variable]: folder }), ...env };
    return end(spawn(program, args, { cwd, env: all }), input);
  };
  const program = join(folder, "bin/hookbell");
  return {
    folder,
    program,
    events: Object.keys(hooks),
    bin,
    hook(event, input, env = {}) {
      const command = new RegExp(`"${key}":("(?:[^"\\\\]|\\\\.)*")`).exec(JSON.stringify(hooks[event]))?.[1];
      if (command === undefined) throw new Error(`${agent} has no hook for ${event}`);
      return start(["sh", "-c", JSON.parse(command) as string], input, env);
    },
    run: (...args) => start([program, ...args], "", {}),
  };
}
