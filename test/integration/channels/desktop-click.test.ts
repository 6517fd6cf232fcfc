// A click on a notification of a real daemon raises the terminal that asked, on a real screen with a window manager.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { end, startDesktop, until, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { openWindow, runHook, windowParts } from "../../support/desktop/window.ts";
import { raiseTerminal } from "../../../src/system/terminal/raise-terminal.ts";
import { findTerminal } from "../../../src/system/terminal/find-terminal.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { putScript } from "../../support/project/posix-hook.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const parts = ["Xvfb", "dbus-daemon", "dunst", "openbox", "xterm", "xdotool", "xprop", "tmux", ...windowParts];

describeWithParts("a click on a notification", parts, () => {
  let desktop: DesktopSession;
  let manager: ChildProcess;
  beforeEach(async () => {
    desktop = await startDesktop("dunst");
    manager = start("openbox");
    await until(() => desktop.run("xprop", "-root", "_NET_SUPPORTED").includes("ACTIVE_WINDOW"), "openbox");
  });
  afterEach(async () => {
    await end(manager);
    await desktop.stop();
  });

  const start = (program: string): ChildProcess => spawn(program, { env: desktop.env, stdio: "ignore" });

  const activeWindow = (): string => desktop.run("xdotool", "getactivewindow", "getwindowname").trim();

  const focus = (name: string): Promise<void> =>
    until(() => {
      desktop.run("xdotool", "search", "--name", `^${name}$`, "windowactivate");
      return activeWindow() === name;
    }, `focus on ${name}`);

  const project = (channel: object = {}): Project => {
    const made = temporaryProject();
    made.writeRules({
      channels: { screen: { type: "desktop", ...channel } },
      rules: [{ name: "asks", when: { event: "Notification" }, notify: ["screen"] }],
    });
    return made;
  };

  /** An agent in an xterm of this name, within what `command` makes of its command line. */
  const openAgent = async (
    { home, env }: Project,
    name: string,
    command = (line: string): string => line,
  ): Promise<{ ask(): void }> => {
    const folder = join(home, name);
    mkdirSync(folder);
    const payload = join(folder, "payload.json");
    writeFileSync(payload, payloadOf("Notification", { session_id: name, message: "May I push?" }));
    const script = putScript(join(folder, "hookbell-hook.sh"));
    await openWindow(folder, { ...env, ...desktop.env, HOME: home }, (line) => `xterm -T ${name} -e ${command(line)}`);
    return { ask: () => runHook(folder, 0, `sh '${script}' --agent generic <'${payload}'`) };
  };

  const clicks = (of: Project): unknown[] =>
    of.journal().flatMap(({ kind, verdict, why }) => (kind === "attention" && verdict === "clicked" ? [why] : []));

  const click = async (of: Project): Promise<void> => {
    await of.until("the notification", () => desktop.run("dunstctl", "count", "displayed").trim() === "1");
    await of.until("the click", () => {
      // dunst acts on its middle button.
      desktop.run("xdotool", "search", "--onlyvisible", "--class", "dunst", "mousemove", "--window", "%1", "9", "9");
      desktop.run("xdotool", "click", "2");
      return clicks(of).length > 0;
    });
  };

  it("raises the terminal that asked out of two, and closes the notification", async () => {
    const own = project();
    const first = await openAgent(own, "first");
    await openAgent(own, "second");
    await focus("second");
    first.ask();
    await click(own);
    expect(clicks(own)).toEqual(["raised its window"]);
    await own.until("the first terminal in front", () => activeWindow() === "first");
    expect(desktop.run("dunstctl", "count", "displayed").trim()).toBe("0");
    const log = await own.run(["log"]);
    expect(log.stdout).toContain("Notification: screen clicked: raised its window");
  });

  it("selects the pane of tmux that asked, and raises the terminal that shows it", async () => {
    const own = project();
    const socket = join(own.home, "tmux");
    const tmux = (...args: string[]): string => desktop.run("tmux", "-S", socket, ...args);
    const agent = await openAgent(own, "panes", (line) => `tmux -S ${socket} new-session -s work '${line}'`);
    tmux("split-window", "-t", "work", "sleep 1000");
    tmux("new-window", "-t", "work", "sleep 1000");
    await openAgent(own, "other");
    await focus("other");
    agent.ask();
    await click(own);
    expect(clicks(own)).toEqual(["raised its window"]);
    await own.until("the terminal in front", () => activeWindow() === "panes");
    expect(tmux("display-message", "-p", "-t", "work:", "#{window_index} #{pane_index}").trim()).toBe("0 0");
    tmux("kill-server");
  });

  it("opens a link in place of the terminal", async () => {
    const own = project({ click: "https://ci.example.org/runs" });
    const opened = putOpener(own.home);
    const env = { ...desktop.env, HOME: own.home, PATH: `${own.home}:${process.env.PATH}` };
    await own.hook(payloadOf("Notification", { message: "May I push?" }), [], env);
    await click(own);
    expect(clicks(own)).toEqual(["opened ci.example.org"]);
    await own.until("the link", () => opened() !== "");
    expect(opened()).toBe("https://ci.example.org/runs ");
  });

  it("is said by doctor, and why it can raise nothing", async () => {
    const own = project();
    const screenLine = (more: object = {}): string => {
      const env = { ...own.env, ...desktop.env, HOME: own.home, ...more };
      const { stdout } = spawnSync(process.execPath, [cliPath, "doctor"], { env, encoding: "utf8" });
      return stdout.split("\n").find((line) => line.includes("screen (desktop)")) ?? stdout;
    };
    expect(screenLine()).toContain("a click (the middle button");
    expect(screenLine()).toContain("raises the terminal");
    expect(screenLine({ WAYLAND_DISPLAY: "wayland-0" })).toContain("no others: this Wayland desktop lets no program");
    await end(manager);
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
