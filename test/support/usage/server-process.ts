// `hookbell serve` as a process of its own, and within the test.
import { spawn, type ChildProcess } from "node:child_process";
import { runCommandLine } from "../../../src/cli/command-line.ts";
import { commandIo } from "../project/command-io.ts";
import { cliPath, type Project } from "../project/running-project.ts";

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** What it has written to standard error so far. */
  stderr(): string;
  /** Resolves when it is gone, with its exit code; null after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts it on a free port and waits until it says that it listens. `cli` is another hookbell. */
export async function startServerProcess(
  project: Project,
  args: readonly string[] = [],
  cli = cliPath,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--user", "me", ...args], {
    env: project.env,
    cwd: project.home,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /^listening on (\S+)\n/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    stderr: () => stderr,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** The same command within the test, which starts in a tenth of the time; `end` stops it as SIGTERM does. */
export async function startServerHere(
  project: Project,
  args: readonly string[] = [],
): Promise<Pick<ServerProcess, "url" | "stderr"> & { end(): Promise<number> }> {
  const stop = new AbortController();
  let stderr = "";
  let ended = Promise.resolve(0);
  const url = await new Promise<string>((resolve, reject) => {
    const io = commandIo(project.home, {
      env: project.env,
      platform: process.platform,
      stdout(text) {
        const found = /^listening on (\S+)\n/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      },
      stderr: (text) => void (stderr += text),
      untilStopped: () => stop.signal,
    });
    ended = runCommandLine(["serve", "--port", "0", "--user", "me", ...args], io);
    void ended.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    stderr: () => stderr,
    async end() {
      stop.abort();
      return await ended;
    },
  };
}
