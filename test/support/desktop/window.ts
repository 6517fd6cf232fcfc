// A window of a terminal program that a person could sit at: util-linux's `script` holds the pseudo terminal, and what it
// would show is kept as it came, escape sequences and all.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { longestWaitMs } from "../longest-wait.ts";

export const windowParts = ["script", "setsid"];

export interface Window {
  /** What runs in it, by what it was asked to write down. */
  pid: number;
  device: string;
  /** All that it was told to show so far. */
  shown(): string;
  until(what: string, check: () => boolean): Promise<void>;
  /** What the person types. */
  type(keys: string): void;
  /** Ends it, and what runs in it. */
  close(): Promise<void>;
}

/**
 * Opens one in which an agent waits: for each file `go-<n>` in the folder it runs that shell line without a terminal of its
 * own, as agents run their hooks. `within` is what stands between, such as tmux; it is given the agent's command line.
 */
export async function openWindow(
  folder: string,
  env: Record<string, string | undefined>,
  within: (command: string) => string = (command) => command,
): Promise<Window> {
  const agent = join(folder, "agent.sh");
  const seat = join(folder, "seat");
  writeFileSync(
    agent,
    [
      `printf '%s %s' "$$" "$(tty)" >'${seat}.tmp' && mv '${seat}.tmp' '${seat}'`,
      "n=0",
      "while :; do",
      `  if [ -e '${folder}/go-'$n ]; then setsid sh -c "$(cat '${folder}/go-'$n)" </dev/null >/dev/null 2>&1; n=$((n + 1)); fi`,
      "  sleep 0.05",
      "done",
    ].join("\n"),
  );
  const child = spawn("script", ["-qfc", within(`sh ${agent}`), "/dev/null"], {
    env: { LANG: "C.UTF-8", TERM: "xterm-256color", ...env } as NodeJS.ProcessEnv,
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin?.on("error", () => {});
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const shown = (): string => Buffer.concat(chunks).toString("utf8");
  const until = async (what: string, check: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + longestWaitMs; !check(); await sleep(20)) {
      if (Date.now() > deadline) throw new Error(`never came: ${what}; shown was ${JSON.stringify(shown())}`);
    }
  };
  onTestFinished(() => closeWindow(child, () => undefined));
  await until("the agent", () => existsSync(seat));
  const [pid = "", device = ""] = readFileSync(seat, "utf8").split(" ");
  return {
    pid: Number(pid),
    device,
    shown,
    until,
    type: (keys) => void child.stdin?.write(keys),
    close: () => closeWindow(child, () => process.kill(Number(pid), "SIGKILL")),
  };
}

async function closeWindow(child: ChildProcess, before: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  before();
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
}

/** The agent of this folder runs the line as its `n`th hook. */
export function runHook(folder: string, n: number, line: string): void {
  // Renamed, so that it is never run by halves.
  writeFileSync(join(folder, "next"), line);
  renameSync(join(folder, "next"), join(folder, `go-${n}`));
}
