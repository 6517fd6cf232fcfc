// A desktop with a window manager, at which agents run in terminals of their own.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { putScript } from "../project/posix-hook.ts";
import type { Project } from "../project/running-project.ts";
import { end, startDesktop, until, type DesktopDaemon, type DesktopSession } from "./desktop-session.ts";
import { openWindow, runHook, windowParts } from "./window.ts";

export const deskParts = ["Xvfb", "dbus-daemon", "openbox", "xterm", "xdotool", "xprop", ...windowParts];

export interface Desk extends DesktopSession {
  /** The title of the window with the focus. */
  activeWindow(): string;
  focus(title: string): Promise<void>;
  /** An agent in an xterm of this title; `within` is what stands between, such as tmux. */
  openAgent(project: Project, title: string, within?: (command: string) => string): Promise<DeskAgent>;
  /** The notifications on the screen, as X windows. */
  notifications(): string[];
  /** Does what this daemon takes for a click on the notification. */
  click(): void;
  endWindowManager(): Promise<void>;
}

export interface DeskAgent {
  /** Its hook of this event. */
  hook(event: string, more?: object): void;
}

export async function openDesk(daemon: Exclude<DesktopDaemon, "none">): Promise<Desk> {
  const desktop = await startDesktop(daemon);
  const start = (program: string): ChildProcess => spawn(program, { env: desktop.env, stdio: "ignore" });
  const manager = start("openbox");
  const activeWindow = (): string => desktop.run("xdotool", "getactivewindow", "getwindowname").trim();
  const notifications = (): string[] =>
    desktop
      .run("xdotool", "search", "--onlyvisible", "--class", daemon)
      .split("\n")
      .filter((line) => /^\d+$/.test(line));
  await until(() => desktop.run("xprop", "-root", "_NET_SUPPORTED").includes("ACTIVE_WINDOW"), "openbox");
  return {
    ...desktop,
    activeWindow,
    focus: (title) =>
      until(() => {
        desktop.run("xdotool", "search", "--name", `^${title}$`, "windowactivate");
        return activeWindow() === title;
      }, `focus on ${title}`),
    async openAgent({ home, env }, title, within = (command) => command) {
      const folder = join(home, title);
      mkdirSync(folder);
      const script = putScript(join(folder, "hookbell-hook.sh"));
      const seat = { ...env, ...desktop.env, HOME: home };
      await openWindow(folder, seat, (line) => `xterm -T ${title} -e ${within(line)}`);
      let hooks = 0;
      return {
        hook(event, more = {}) {
          const payload = join(folder, `payload-${hooks}.json`);
          const told = { hook_event_name: event, session_id: title, cwd: "/home/u/shop-web", ...more };
          writeFileSync(payload, JSON.stringify(told));
          runHook(folder, hooks, `sh '${script}' --agent generic <'${payload}'`);
          hooks += 1;
        },
      };
    },
    notifications,
    click() {
      const [window] = notifications();
      if (window === undefined) return;
      const shape = desktop.run("xdotool", "getwindowgeometry", "--shell", window);
      const numberOf = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(shape)?.[1] ?? 0);
      // Xfce shows a button instead, in the lower right corner.
      const place = daemon === "xfce4-notifyd" ? [numberOf("WIDTH") - 60, numberOf("HEIGHT") - 30] : [9, 9];
      // dunst acts on its middle button.
      const button = daemon === "dunst" ? "2" : "1";
      desktop.run("xdotool", "mousemove", "--window", window, ...place.map(String), "click", button);
    },
    endWindowManager: () => end(manager),
    async stop() {
      await end(manager);
      await desktop.stop();
    },
  };
}
