// Runs a hook the way an agent does, to verify it.
import { type ChildProcess, spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import { codeOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { isGroupLeader, killGroup } from "./run.ts";

export interface AgentCall {
  argv: readonly [string, ...string[]];
  /** Undefined for no standard input. */
  stdin: string | undefined;
  env: Environment;
  cwd: string;
  timeoutMs: number;
}

/** What an agent would see. */
export interface AgentCallResult {
  /** Undefined if it did not exit by itself. */
  code?: number;
  /** Such as `ENOENT`. */
  notStarted?: string;
  /** `timeout`, or a signal. */
  endedBy?: string;
  stdout: string;
  stderr: string;
  /** Milliseconds until it had exited and closed its output. */
  waitedMs: number;
  /** A process that it started kept its output open. */
  isHeldOpen: boolean;
}

/** Some agents wait without a limit until the hook's output is closed. */
const heldOpenMs = 3000;
const maxOutputLength = 4096;

/** In its own session, over pipes. Never rejects. */
export function runAsAgent({ argv, stdin, env, cwd, timeoutMs }: AgentCall): Promise<AgentCallResult> {
  const [program, ...args] = argv;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const result: AgentCallResult = { stdout: "", stderr: "", waitedMs: 0, isHeldOpen: false };
    let child: ChildProcess;
    const finish = (more: Partial<AgentCallResult>): void => {
      clearTimeout(deadline);
      clearTimeout(patience);
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      resolve({ ...result, ...more, waitedMs: Math.round(performance.now() - startedAt) });
    };
    let patience: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => {
      killGroup(child);
      finish({ endedBy: "timeout" });
    }, timeoutMs);
    try {
      child = spawn(program, args, {
        cwd,
        env,
        stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        detached: isGroupLeader,
        windowsHide: true,
        // What follows is a line that cmd.exe reads itself.
        windowsVerbatimArguments: args[1] === "/s",
      });
    } catch (error) {
      finish({ notStarted: codeOf(error) ?? "ERROR" });
      return;
    }
    child.on("error", (error) => finish({ notStarted: codeOf(error) ?? "ERROR" }));
    child.stdout?.on("data", (chunk: Buffer) => (result.stdout = (result.stdout + chunk).slice(0, maxOutputLength)));
    child.stderr?.on("data", (chunk: Buffer) => (result.stderr = (result.stderr + chunk).slice(0, maxOutputLength)));
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
    child.on("exit", (code, signal) => {
      const ended = code === null ? { endedBy: signal ?? "a signal" } : { code };
      child.on("close", () => finish(ended));
      patience = setTimeout(() => finish({ ...ended, isHeldOpen: true }), heldOpenMs);
    });
  });
}

/** opencode loads a plug-in in the first way, pi an extension in the second. */
const runner = `process.removeAllListeners("warning");
(async () => {
  const [path, payload] = process.argv.slice(1);
  const { Hookbell, default: extension } = await import(require("node:url").pathToFileURL(path).href);
  const { directory, ...event } = JSON.parse(payload);
  if (Hookbell !== undefined) return (await Hookbell({ directory })).event({ event });
  const { type, session_id, cwd, mode } = event;
  const context = { cwd, mode, isIdle: () => false, sessionManager: { getSessionId: () => session_id } };
  extension({ on: (name, handler) => name === type && handler(event, context) });
})()`;

export function plugInRunner(path: string): [string, ...string[]] {
  return [process.execPath, "-e", runner, path];
}
