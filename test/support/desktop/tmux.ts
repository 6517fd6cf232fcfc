// A person's terminal in a real tmux: what it shows, keys, and its size.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { shellQuoted } from "../../../src/model/text.ts";
import type { Project } from "../project/running-project.ts";

export interface TmuxPane {
  /** The rows that it shows, without the blanks at their ends; `isRaw` with the sequences of colours. */
  shown(isRaw?: boolean): string;
  /** As tmux names them, such as `Down` or `C-c`. */
  press(...keys: string[]): void;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  run(...args: string[]): string;
  /** Opens a popup over the attached client; resolves to its exit code. */
  popup(line: string): Promise<number | null>;
  socket: string;
}

let count = 0;

/** Runs the shell line; the pane stays when it has ended. */
export function openTmux(
  project: Project,
  line: string,
  [columns, rows]: readonly [number, number],
  env: NodeJS.ProcessEnv = {},
): TmuxPane {
  const socket = join(project.home, `tmux-${(count += 1)}`);
  const run = (...args: string[]): string => {
    const { stdout, stderr, status } = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      env: { ...project.env, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
      cwd: project.home,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const size = ["-x", String(columns), "-y", String(rows)];
  run("new-session", "-d", "-s", "test", ...size, "sh");
  run("set-option", "-g", "status", "off");
  run("resize-window", "-t", "test", ...size);
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  run("send-keys", "-t", "test", "-l", line);
  run("send-keys", "-t", "test", "Enter");
  return {
    shown: (isRaw = false) => run("capture-pane", "-p", "-t", "test", ...(isRaw ? ["-e"] : [])),
    press: (...keys) => void run("send-keys", "-t", "test", ...keys),
    type: (text) => void run("send-keys", "-t", "test", "-l", text),
    resize: (width, height) => void run("resize-window", "-t", "test", "-x", String(width), "-y", String(height)),
    run,
    popup: (popupLine) =>
      new Promise((resolve, reject) => {
        const args = ["-S", socket, "display-popup", "-w", "100%", "-h", "100%", "-E", popupLine];
        spawn("tmux", args, { env: project.env, stdio: "ignore" }).on("error", reject).on("close", resolve);
      }),
    socket,
  };
}

/** A shell line that runs this program. */
export function lineOf(...words: readonly string[]): string {
  return words.map(shellQuoted).join(" ");
}
