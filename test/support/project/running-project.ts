// The built project, run as people and agents run it.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import { readLease } from "../../../src/outbox/lease/lease.ts";
import { listJournal, readJournal, type JournalEntry } from "../../../src/outbox/journal.ts";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import { longestWaitMs } from "../longest-wait.ts";
import { type Clock, systemClock } from "../../../src/system/clock.ts";
import { preferSmallHeap } from "../../../src/system/process/small-heap.ts";
import { commandIo, payloadIn } from "./command-io.ts";
import { processesWithEnvironment } from "./processes.ts";
import { temporaryFolder } from "./temporary-state.ts";

const dist = fileURLToPath(new URL("../../../dist/", import.meta.url));
export const hookPath = join(dist, "hook.cjs");
export const cliPath = join(dist, "cli.js");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A person's home with its own configuration and state. */
export interface Project {
  home: string;
  env: NodeJS.ProcessEnv;
  layout: Layout;
  rulesFile: string;
  writeRules(rules: unknown): void;
  /** The hook, as an agent runs it; `input` undefined leaves standard input open. */
  hook(input: string | Buffer | undefined, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** `hookbell` in a process of its own. */
  run(args: readonly string[], input?: string): Promise<Ended>;
  /** The same command within the test, which takes a tenth of the time. */
  command(
    args: readonly string[],
    input?: string | Buffer,
    more?: { env?: NodeJS.ProcessEnv; stop?: AbortSignal },
  ): Promise<Ended>;
  /** Within the test, but what it looks for and starts beside itself is the built program. */
  builtCommand(args: readonly string[], input?: string): Promise<Ended>;
  start(args: readonly string[]): ChildProcess;
  journal(): JournalEntry[];
  /** Resolves when the check holds; fails with what the journal says when it does not in time. */
  until(what: string, check: () => boolean): Promise<void>;
}

/** `state`: the state's folder in the home. */
export function temporaryProject(state = "state"): Project {
  const home = temporaryFolder();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    USERPROFILE: home,
    HOOKBELL_CONFIG_DIR: join(home, "config"),
    HOOKBELL_STATE_DIR: join(home, state),
    // Under Wine, each Node needs what on-windows.mjs loads into it.
    ...(process.platform === "win32" && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
  };
  const layout = layoutOf(join(home, state));
  const rulesFile = join(home, "config", "rules.jsonc");
  mkdirSync(join(home, "config"));
  const project: Project = {
    home,
    env,
    layout,
    rulesFile,
    writeRules: (rules) => writeFileSync(rulesFile, typeof rules === "string" ? rules : JSON.stringify(rules, null, 2)),
    hook: (input, args = [], more = {}) =>
      end(spawn(process.execPath, [hookPath, ...args], { env: { ...env, ...more }, cwd: home }), input),
    run: (args, input = "") => end(spawn(process.execPath, [cliPath, ...args], { env, cwd: home }), input),
    async command(args, input = "", { env: ofCommand = {}, stop = new AbortController().signal } = {}) {
      const said = { stdout: "", stderr: "" };
      const io = commandIo(home, {
        env: { ...env, ...ofCommand },
        clock: clockOfCommands,
        platform: process.platform,
        untilStopped: () => stop,
        readStdin: () => Promise.resolve(String(input)),
        readPayload: ({ maxBytes }) => Promise.resolve(payloadIn(input, maxBytes)),
        stdout: (text) => void (said.stdout += text),
        stderr: (text) => void (said.stderr += text),
      });
      return { code: await runCommandLine(args, io), signal: null, ...said };
    },
    async builtCommand(args, input) {
      const before = process.argv[1] ?? "";
      process.argv[1] = cliPath;
      try {
        return await project.command(args, input);
      } finally {
        process.argv[1] = before;
      }
    },
    start: (args) => spawn(process.execPath, [cliPath, ...args], { env, cwd: home, stdio: "ignore" }),
    journal: () => listJournal(layout).flatMap((file) => readJournal(layout, file)),
    async until(what, check) {
      const deadline = Date.now() + longestWaitMs;
      while (!check()) {
        if (Date.now() > deadline) {
          const last = project
            .journal()
            .slice(-10)
            .map((entry) => JSON.stringify(entry));
          throw new Error(`never came: ${what}; the journal ends with\n${last.join("\n")}`);
        }
        await sleep(20);
      }
    },
  };
  // A dispatcher would outlive the test by some seconds, and write into the folder while it is removed.
  onTestFinished(() => endProcessesOf(home, layout));
  return project;
}

/** A dispatcher would make the heap of its process a small one; the test's process keeps its own. */
const clockOfCommands: Clock = {
  now: systemClock.now,
  after: (delayMs, callback) => (callback === preferSmallHeap ? () => {} : systemClock.after(delayMs, callback)),
};

/** `hookbell remote add` as the person, with the dispatcher that the built command starts. */
export async function addRemote(project: Project, ...args: readonly string[]): Promise<Ended> {
  const added = await project.command(["remote", "add", ...args]);
  if (added.code === 0) project.start(["dispatch", "--detached"]);
  return added;
}

/** Kills every process whose environment names the folder, and those that they start meanwhile; on Windows the dispatcher alone. */
async function endProcessesOf(folder: string, layout: Layout): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  const dispatcher = process.platform === "win32" ? readLease(layout)?.holder.pid : undefined;
  try {
    if (dispatcher !== undefined && dispatcher !== process.pid) process.kill(dispatcher, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  for (let pids = processesWithEnvironment(folder); pids.length > 0; pids = processesWithEnvironment(folder)) {
    if (Date.now() > deadline) throw new Error(`still running in ${folder}: ${pids.join(", ")}`);
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    await sleep(20);
  }
}

/** What a process said, once it has ended. */
export function end(child: ChildProcess, input: string | Buffer | undefined): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin?.on("error", () => {});
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** A payload of the generic dialect. */
export function payloadOf(event: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ hook_event_name: event, session_id: "s1", cwd: "/home/u/shop-web", ...more });
}
