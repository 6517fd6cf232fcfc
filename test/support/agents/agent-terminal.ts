// A terminal (tmux) with a program in it, for what agents do only when a person sits there.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { findPart } from "../parts.ts";

export const terminalParts = ["tmux"];

export interface AgentTerminal {
  /** Waits until the screen shows it; fails with the screen when it does not come. */
  until(shown: RegExp): Promise<void>;
  shows(what: RegExp): boolean;
  /** Types the line and, once the screen shows it, presses Enter. `onEnter` is called just before. */
  enter(line: string, onEnter?: () => void): Promise<void>;
  /** A key by tmux's name for it. */
  press(key: string): void;
  /** Resolves when the program has ended. */
  ended(): Promise<void>;
  /** Closes the terminal, as a person closes a window. */
  close(): void;
  screen(): string;
  /** The program's process. */
  pid(): number;
}

const longestWaitMs = 60_000;
const lookEveryMs = 100;

/** `folder` holds the socket: no tmux of the person is touched. */
export function startAgentTerminal(
  folder: string,
  argv: readonly string[],
  options: { cwd: string; env: Record<string, string> },
  name = "tmux",
): AgentTerminal {
  const socket = join(folder, name);
  const env = { ...options.env, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const tmux = (...args: string[]): { status: number | null; stdout: string } =>
    spawnSync(findPart("tmux") ?? "tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      cwd: options.cwd,
      env,
      encoding: "utf8",
      timeout: 10_000,
      killSignal: "SIGKILL",
    });
  const started = tmux("new-session", "-d", "-x", "120", "-y", "50", "-s", "agent", "--", ...argv);
  if (started.status !== 0) throw new Error("tmux could not be started");
  onTestFinished(() => {
    tmux("kill-server");
  });
  const screen = (): string => tmux("capture-pane", "-p", "-t", "agent").stdout;
  const waitFor = async (what: string, check: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + longestWaitMs; !check(); await sleep(lookEveryMs)) {
      if (Date.now() > deadline) throw new Error(`never came: ${what}; the screen is\n${screen().trim()}`);
    }
  };
  return {
    until: (shown) => waitFor(String(shown), () => shown.test(screen())),
    shows: (what) => what.test(screen()),
    async enter(line, onEnter) {
      tmux("send-keys", "-t", "agent", "-l", line);
      // Keys that come together are taken for a paste, in which Enter is a new line.
      // The line may be wrapped, in a box.
      const bare = (text: string): string => text.replace(/[\s┃│]/g, "");
      await waitFor(line, () => bare(screen()).includes(bare(line)));
      await sleep(lookEveryMs);
      onEnter?.();
      tmux("send-keys", "-t", "agent", "Enter");
    },
    press(key) {
      tmux("send-keys", "-t", "agent", key);
    },
    ended: () => waitFor("the program's end", () => tmux("has-session", "-t", "agent").status !== 0),
    close() {
      tmux("kill-server");
    },
    screen,
    pid: () => Number(tmux("display-message", "-p", "-t", "agent", "#{pane_pid}").stdout),
  };
}
