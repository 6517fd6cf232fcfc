// A desktop of its own: a screen no one sees, a private bus without activation, and a real notification daemon.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { longestWaitMs } from "../longest-wait.ts";
import { findPart } from "../parts.ts";

export type DesktopDaemon = "dunst" | "notification-daemon" | "xfce4-notifyd" | "none";

export interface DesktopSession {
  /** What a program needs to reach this desktop and no other. */
  env: Record<string, string>;
  /** Missing with the daemon `none`. */
  daemonPid: number | undefined;
  /** The X server's; missing with the daemon `none`. */
  screenPid: number | undefined;
  /** The output of a program run on this desktop. */
  run(program: string, ...args: string[]): string;
  /** Writes down every call to the daemon from now on; the returned function reads it. */
  watchCalls(): Promise<() => string>;
  /** What the daemon dunst has shown, newest first, including what is on the screen now. */
  dunstHistory(): ShownNotification[];
  stop(): Promise<void>;
}

export interface ShownNotification {
  id: number;
  summary: string;
  body: string;
  /** Microseconds; `dunstTimeouts` tells the urgency by it. */
  timeout: number;
  category: string;
  appname: string;
}

/** How long our dunst shows a notification of each urgency, in seconds: its history does not name the urgency. */
export const dunstTimeouts = { low: 1001, normal: 1002, critical: 1003 } as const;

const dunstConfiguration = [
  "[global]",
  "history_length=200",
  "follow=none",
  ...Object.entries(dunstTimeouts).map(([urgency, seconds]) => `[urgency_${urgency}]\ntimeout=${seconds}`),
  "",
].join("\n");

export async function startDesktop(
  daemon: DesktopDaemon,
  options: { activates?: string } = {},
): Promise<DesktopSession> {
  const dir = mkdtempSync(join(tmpdir(), "hookbell-desktop-"));
  const children: ChildProcess[] = [];
  const start = (name: string, program: string, args: string[], env: Record<string, string>, pipe?: 1 | 3) => {
    const log = openSync(join(dir, `${name}.log`), "a");
    const child = spawn(findPart(program) ?? program, args, {
      env,
      stdio: ["ignore", pipe === 1 ? "pipe" : log, log, pipe === 3 ? "pipe" : "ignore"],
    });
    closeSync(log);
    child.on("error", () => {});
    children.push(child);
    return child;
  };
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    XDG_RUNTIME_DIR: join(dir, "run"),
    // GTK looks for the accessibility bus otherwise, which this bus does not have.
    NO_AT_BRIDGE: "1",
  };
  mkdirSync(join(dir, "run"), { mode: 0o700 });
  const stop = async (): Promise<void> => {
    await Promise.all(children.reverse().map(end));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    let screenPid: number | undefined;
    if (daemon !== "none") {
      const xvfb = start("xvfb", "Xvfb", ["-displayfd", "3", "-screen", "0", "800x400x24", "-nolisten", "tcp"], env, 3);
      screenPid = xvfb.pid;
      env.DISPLAY = `:${await firstLine(xvfb.stdio[3] as Readable, "Xvfb")}`;
    }
    writeFileSync(join(dir, "bus.conf"), busConfiguration(dir, options.activates));
    const bus = start(
      "bus",
      "dbus-daemon",
      [`--config-file=${join(dir, "bus.conf")}`, "--nofork", "--print-address=1"],
      env,
      1,
    );
    env.DBUS_SESSION_BUS_ADDRESS = await firstLine(bus.stdout as Readable, "dbus-daemon");
    const run = (program: string, ...args: string[]): string => {
      const result = spawnSync(program, args, { env, encoding: "utf8", timeout: longestWaitMs, killSignal: "SIGKILL" });
      return `${result.stdout}${result.status === 0 ? "" : result.stderr}`;
    };
    let daemonPid: number | undefined;
    if (daemon !== "none") {
      writeFileSync(join(dir, "dunstrc"), dunstConfiguration);
      daemonPid = start("daemon", daemon, daemon === "dunst" ? ["-conf", join(dir, "dunstrc")] : [], env).pid;
      await until(() => hasNotificationServer(run), `${daemon} on the bus`);
    }
    return {
      env,
      daemonPid,
      screenPid,
      run,
      stop,
      async watchCalls() {
        const name = `monitor-${children.length}`;
        start(name, "dbus-monitor", ["--session", "interface='org.freedesktop.Notifications'"], env);
        // It prints the names it got and lost before it watches.
        const read = (): string => readFileSync(join(dir, `${name}.log`), "utf8");
        await until(() => read().includes("NameLost"), "dbus-monitor");
        return read;
      },
      dunstHistory() {
        // Only what was closed is in the history.
        run("dunstctl", "close-all");
        const history: unknown = JSON.parse(run("dunstctl", "history"));
        const [entries = []] = (history as { data: Record<string, { data: unknown }>[][] }).data;
        return entries.map(
          (entry) =>
            Object.fromEntries(
              Object.entries(entry).map(([key, { data }]) => [key, data]),
            ) as unknown as ShownNotification,
        );
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function hasNotificationServer(run: DesktopSession["run"]): boolean {
  const destination = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"];
  const name = "string:org.freedesktop.Notifications";
  return run("dbus-send", ...destination, "org.freedesktop.DBus.NameHasOwner", name).includes("true");
}

/** Without service folders nothing is started by itself, whatever this machine has installed. */
function busConfiguration(dir: string, activates: string | undefined): string {
  if (activates !== undefined) {
    mkdirSync(join(dir, "services"));
    writeFileSync(
      join(dir, "services", "n.service"),
      `[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=${activates}\n`,
    );
  }
  return `<busconfig>
  <type>session</type>
  <listen>unix:path=${join(dir, "run", "bus")}</listen>
  <auth>EXTERNAL</auth>
  ${activates === undefined ? "" : `<servicedir>${join(dir, "services")}</servicedir>`}
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}

function firstLine(stream: Readable, what: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => reject(new Error(`${what} said nothing`)), longestWaitMs);
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      text += chunk;
      if (!text.includes("\n")) return;
      clearTimeout(timer);
      resolve(text.slice(0, text.indexOf("\n")));
    });
    stream.on("close", () => {
      clearTimeout(timer);
      reject(new Error(`${what} ended`));
    });
  });
}

/** Asks again until it is so; throws with `what` when it never is. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** SIGKILL also ends what SIGSTOP has frozen. */
export function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
