// Runs a program without a shell, with a deadline.
import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import { codeOf, messageOf } from "../../model/errors.ts";
import type { Environment } from "../environment.ts";
import { programStart, systemProgram } from "./start/program-start.ts";

export interface ProcessRequest {
  argv: readonly [string, ...string[]];
  /** Standard input is closed after it. */
  stdin?: string | undefined;
  env: Environment;
  cwd?: string | undefined;
  timeoutMs: number;
  /** How much is kept: of standard output the beginning, of standard error whole lines of the end. */
  maxOutputBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Receives the id of the process, which leads its group. */
  onStarted?: ((pid: number) => void) | undefined;
  /** Receives what it prints, while it runs, to standard output and standard error. */
  onOutput?: ((chunk: Buffer) => void) | undefined;
}

export type ProcessResult =
  | { status: "exited"; code: number; stdout: string; stderr: string }
  | { status: "killed"; signal: string; stdout: string; stderr: string }
  | { status: "timedOut"; stdout: string; stderr: string }
  /** Such as `ENOENT`. */
  | { status: "notStarted"; code: string; detail: string };

const defaultMaxOutputBytes = 64 * 1024;

function collect(maxBytes: number): { add(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      if (bytes < maxBytes) chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

/** The last lines: an error comes last, and what begins in the middle of a line may be half a credential. */
function collectEnd(maxBytes: number): { add(chunk: Buffer): void; text(): string } {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let isCut = false;
  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= 2 * maxBytes) return;
      const end = Buffer.concat(chunks).subarray(-maxBytes);
      chunks = [Buffer.from(end)];
      bytes = end.length;
      isCut = true;
    },
    text() {
      const all = Buffer.concat(chunks);
      const end = all.subarray(-maxBytes).toString("utf8");
      return isCut || all.length > maxBytes ? end.slice(end.indexOf("\n") + 1 || end.length) : end;
    },
  };
}

/** The value of `detached` for a child that `killGroup` may end. */
export const isGroupLeader: boolean = process.platform !== "win32";

/** Ends a child and what it has started. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) endGroup(pid);
}

/** Ends the group of a process that an earlier hookbell started. The caller knows that it is still the same process. */
export function endGroup(pid: number): void {
  // There are no groups on Windows: what a process has started is found by its id, and only while it runs.
  if (!isGroupLeader) endTree(pid);
  try {
    process.kill(isGroupLeader ? -pid : pid, "SIGKILL");
  } catch {
    // The process has ended in the meantime.
  }
}

/** Asks a process to end. The caller knows that it is still the same process. */
export function askToEnd(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // The process has ended in the meantime.
  }
}

const taskkillTimeoutMs = 5000;

function endTree(pid: number): void {
  const [taskkill, ...args] = treeKiller(pid, process.env);
  const options = { stdio: "ignore", windowsHide: true, timeout: taskkillTimeoutMs } as const;
  process.getBuiltinModule("node:child_process").spawnSync(taskkill, args, options);
}

/** https://learn.microsoft.com/en-us/windows-server/administration/windows-commands/taskkill */
export function treeKiller(pid: number, env: Environment): [string, ...string[]] {
  return [systemProgram("taskkill.exe", env), "/T", "/F", "/PID", String(pid)];
}

/** The process group gets SIGKILL at the deadline. Never rejects. */
export function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const start = programStart(request.argv, request);
  return new Promise((resolve) => {
    if ("code" in start) {
      resolve({ status: "notStarted", ...start });
      return;
    }
    if (request.signal?.aborted) {
      resolve({ status: "timedOut", stdout: "", stderr: "" });
      return;
    }
    const stdout = collect(request.maxOutputBytes ?? defaultMaxOutputBytes);
    const stderr = collectEnd(request.maxOutputBytes ?? defaultMaxOutputBytes);
    let child: ChildProcessWithoutNullStreams;
    try {
      child = process.getBuiltinModule("node:child_process").spawn(start.program, start.args, {
        windowsVerbatimArguments: start.windowsVerbatimArguments,
        stdio: "pipe",
        shell: false,
        windowsHide: true,
        detached: isGroupLeader,
        cwd: request.cwd,
        env: start.env,
      });
    } catch (error) {
      // A NUL byte or a very long argument list throws.
      resolve({ status: "notStarted", code: codeOf(error) ?? "ERROR", detail: messageOf(error) });
      return;
    }
    if (child.pid !== undefined) request.onStarted?.(child.pid);
    let isDone = false;
    const finish = (result: ProcessResult): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", kill);
      // An inheriting process could keep us from exiting.
      child.stdin?.destroy();
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    const kill = (): void => {
      killGroup(child);
      finish({ status: "timedOut", stdout: stdout.text(), stderr: stderr.text() });
    };
    const timer = setTimeout(kill, request.timeoutMs);
    request.signal?.addEventListener("abort", kill, { once: true });
    child.on("error", (error) => {
      finish({ status: "notStarted", code: codeOf(error) ?? "ERROR", detail: error.message });
    });
    for (const [stream, collected] of [
      [child.stdout, stdout],
      [child.stderr, stderr],
    ] as const) {
      stream?.on("data", (chunk: Buffer) => {
        collected.add(chunk);
        request.onOutput?.(chunk);
      });
    }
    // The child may close its input early.
    child.stdin?.on("error", () => {});
    child.stdin?.end(request.stdin ?? "");
    child.on("exit", (code, signal) => {
      // The last data can come after the exit.
      const settle = (): void =>
        finish(
          code === null
            ? { status: "killed", signal: signal ?? "unknown", stdout: stdout.text(), stderr: stderr.text() }
            : { status: "exited", code, stdout: stdout.text(), stderr: stderr.text() },
        );
      child.on("close", settle);
      setTimeout(settle, 200).unref();
    });
  });
}
