// A click on a notification of a real daemon raises the terminal that asked, on a real screen with a window manager.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { findTerminal } from "../../../src/system/terminal/find-terminal.ts";
import { raiseTerminal } from "../../../src/system/terminal/raise-terminal.ts";
import { deskParts, openDesk, type Desk } from "../../support/desktop/desk.ts";
import { until } from "../../support/desktop/desktop-session.ts";
import { openWindow } from "../../support/desktop/window.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const rules = (channel: object = {}): object => ({
  channels: { screen: { type: "desktop", ...channel } },
  rules: [{ name: "asks", when: { event: "Notification" }, notify: ["screen"] }],
});

const projectOf = (channel?: object): Project => {
  const project = temporaryProject();
  project.writeRules(rules(channel));
  return project;
};

const clicks = (of: Project): unknown[] =>
  of.journal().flatMap(({ kind, verdict, why }) => (kind === "attention" && verdict === "clicked" ? [why] : []));

async function click(of: Project, desk: Desk): Promise<void> {
  await of.until("the notification", () => desk.notifications().length > 0);
  await of.until("the click", () => {
    desk.click();
    return clicks(of).length > 0;
  });
}

describe.each(["dunst", "notification-daemon", "xfce4-notifyd"] as const)("with %s", (daemon) => {
  describeWithParts("a click on a notification", [...deskParts, daemon], () => {
    it("raises the terminal that asked out of two, and closes the notification", async () => {
      const desk = await openDesk(daemon);
      onTestFinished(desk.stop);
      const project = projectOf();
      const first = await desk.openAgent(project, "first");
      await desk.openAgent(project, "second");
      await desk.focus("second");
      first.hook("Notification", { message: "May I push?" });
      await click(project, desk);
      expect(clicks(project)).toEqual(["raised its window"]);
      await project.until("the first terminal in front", () => desk.activeWindow() === "first");
      await project.until("an empty screen", () => desk.notifications().length === 0);
      const log = await project.run(["log"]);
      expect(log.stdout).toContain("Notification: screen clicked: raised its window");
    });
  });
});

describeWithParts("a click", [...deskParts, "dunst", "tmux"], () => {
  let desktop: Desk;
  beforeEach(async () => {
    desktop = await openDesk("dunst");
  });
  afterEach(() => desktop.stop());

  it("selects the pane of tmux that asked, and raises the terminal that shows it", async () => {
    const own = projectOf();
    const socket = join(own.home, "tmux");
    const tmux = (...args: string[]): string => desktop.run("tmux", "-S", socket, ...args);
    const agent = await desktop.openAgent(own, "panes", (line) => `tmux -S ${socket} new-session -s work '${line}'`);
    tmux("split-window", "-t", "work", "sleep 1000");
    tmux("new-window", "-t", "work", "sleep 1000");
    await desktop.openAgent(own, "other");
    await desktop.focus("other");
    agent.hook("Notification", { message: "May I push?" });
    await click(own, desktop);
    expect(clicks(own)).toEqual(["raised its window"]);
    await own.until("the terminal in front", () => desktop.activeWindow() === "panes");
    expect(tmux("display-message", "-p", "-t", "work:", "#{window_index} #{pane_index}").trim()).toBe("0 0");
    tmux("kill-server");
  });

  it("opens a link in place of the terminal", async () => {
    const own = projectOf({ click: "https://ci.example.org/runs" });
    const opened = putOpener(own.home);
    const env = { ...desktop.env, HOME: own.home, PATH: `${own.home}:${process.env.PATH}` };
    await own.hook(payloadOf("Notification", { message: "May I push?" }), [], env);
    await click(own, desktop);
    expect(clicks(own)).toEqual(["opened ci.example.org"]);
    await own.until("the link", () => opened() !== "");
    expect(opened()).toBe("https://ci.example.org/runs ");
  });

  it("is said by doctor, and why it can raise nothing", async () => {
    const own = projectOf();
    const screenLine = (more: object = {}): string => {
      const env = { ...own.env, ...desktop.env, HOME: own.home, ...more };
      const { stdout } = spawnSync(process.execPath, [cliPath, "doctor"], { env, encoding: "utf8" });
      return stdout.split("\n").find((line) => line.includes("screen (desktop)")) ?? stdout;
    };
    expect(screenLine()).toContain("a click (the middle button");
    expect(screenLine()).toContain("raises the terminal");
    expect(screenLine({ WAYLAND_DISPLAY: "wayland-0" })).toContain("no others: this Wayland desktop lets no program");
    await desktop.endWindowManager();
    expect(screenLine()).toContain("raises nothing: the screen has no window manager");
  });

  it.each([
    ["over SSH", { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }, "it runs over SSH"],
    ["outside of every window", {}, "no window here belongs to it"],
    ["on Wayland", { WAYLAND_DISPLAY: "wayland-0" }, "this Wayland desktop lets no program raise another one's window"],
  ])("says why it cannot raise a terminal %s", async (_what, more, why) => {
    const { pid, close } = await openWindow(temporaryFolder(), { ...desktop.env, ...more });
    const terminal = findTerminal(pid, 0);
    if (terminal === undefined) throw new Error("no terminal");
    const wanted = { terminal, folder: undefined, activationToken: undefined };
    expect(await raiseTerminal(wanted, desktop.env)).toBe(`not raised: ${why}`);
    await close();
    expect(await raiseTerminal(wanted, desktop.env)).toBe("not raised: the terminal is closed");
  });

  it("says that no terminal shows a session of tmux", async () => {
    const folder = temporaryFolder();
    const socket = join(folder, "tmux");
    const tmux = (...args: string[]): string => desktop.run("tmux", "-S", socket, ...args);
    const { pid } = await openWindow(folder, desktop.env, (line) => `tmux -S ${socket} new-session -s work '${line}'`);
    const terminal = findTerminal(pid, 0);
    if (terminal === undefined) throw new Error("no terminal");
    tmux("detach-client", "-s", "work");
    await until(() => tmux("list-clients") === "", "the end of the client");
    expect(await raiseTerminal({ terminal, folder, activationToken: undefined }, desktop.env)).toBe(
      "not raised: no terminal is attached to its tmux session",
    );
    tmux("kill-server");
  });

  it("lets an editor show the folder where its window cannot be raised, with the desktop's token", async () => {
    const folder = temporaryFolder();
    const opened = putOpener(folder);
    const editor = join(folder, "code");
    symlinkSync(findPart("bash") ?? "", editor);
    const { pid } = await openWindow(folder, desktop.env, (line) => `${editor} -c '${line}; :'`);
    const terminal = findTerminal(pid, 0);
    if (terminal === undefined) throw new Error("no terminal");
    const env = { ...desktop.env, WAYLAND_DISPLAY: "wayland-0", PATH: `${folder}:${process.env.PATH}` };
    const wanted = { terminal, folder: "/srv/web shop", activationToken: "token-1" };
    expect(await raiseTerminal(wanted, env)).toBe("opened its folder in the editor (vscode)");
    await until(() => opened() !== "", "the link");
    expect(opened()).toBe("vscode://file/srv/web%20shop token-1");
  });
});

/** An `xdg-open` that only writes down what it is given; returns how to read it. */
function putOpener(folder: string): () => string {
  const opened = join(folder, "opened");
  const script = `#!/bin/sh\nprintf '%s %s' "$1" "$XDG_ACTIVATION_TOKEN" >'${opened}.new' && mv '${opened}.new' '${opened}'\n`;
  writeFileSync(join(folder, "xdg-open"), script, { mode: 0o755 });
  return () => (existsSync(opened) ? readFileSync(opened, "utf8") : "");
}
