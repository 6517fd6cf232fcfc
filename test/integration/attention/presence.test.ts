// Where the person is, asked of a real X server with a window manager, of xterm, of tmux, and of services on a real bus.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentTerminal } from "../../../src/model/places/agent-terminal.ts";
import { observeDesktop } from "../../../src/system/presence/desktop-buses.ts";
import { probePresence, type ObservedPresence } from "../../../src/system/presence/probe.ts";
import { focusWlroots, observeWlroots } from "../../../src/system/presence/wlroots.ts";
import { observeX11 } from "../../../src/system/presence/x11.ts";
import { serveOnBus } from "../../support/desktop/bus-services.ts";
import { end, startDesktop, until, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";

const parts = ["Xvfb", "dbus-daemon", "dunst", "openbox", "xterm", "xdotool", "tmux"];

describeWithParts("presence on Linux", parts, () => {
  let desktop: DesktopSession;
  let folder: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    desktop = await startDesktop("dunst");
    folder = mkdtempSync(join(tmpdir(), "hookbell-presence-"));
    start("openbox");
    await until(() => desktop.run("xprop", "-root", "_NET_SUPPORTED").includes("ACTIVE_WINDOW"), "openbox");
  });

  afterAll(async () => {
    spawnSync("tmux", ["-S", join(folder, "tmux"), "kill-server"]);
    await Promise.all(children.map(end));
    await desktop.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(program: string, ...args: string[]): void {
    children.push(spawn(program, args, { env: desktop.env, stdio: "ignore" }));
  }

  /** A window of xterm in which a shell waits; the shell is the agent. */
  async function openTerminal(name: string): Promise<AgentTerminal> {
    const seat = join(folder, name);
    start("xterm", "-T", name, "-e", "sh", "-c", `echo "$$ $(tty)" >${seat}.tmp; mv ${seat}.tmp ${seat}; sleep 1000`);
    await until(() => existsSync(seat), `xterm ${name}`);
    const [pid = "", device = ""] = readFileSync(seat, "utf8").trim().split(" ");
    return { pid: Number(pid), device, start: "", env: {} };
  }

  async function focus(name: string): Promise<void> {
    const isActive = (): boolean => desktop.run("xdotool", "getactivewindow", "getwindowname").trim() === name;
    await until(() => {
      desktop.run("xdotool", "search", "--name", `^${name}$`, "windowactivate");
      return isActive();
    }, `focus on ${name}`);
  }

  function probe(terminal: AgentTerminal | undefined, env = desktop.env): Promise<ObservedPresence> {
    return probePresence({ terminal, env, platform: "linux", nowMs: Date.now() });
  }

  /** A busy machine may miss the limit, and then the answer is unknown. */
  async function probeUntilKnown(terminal: AgentTerminal, env = desktop.env): Promise<boolean | undefined> {
    for (let tries = 0; tries < 50; tries += 1) {
      const { isFocused } = await probe(terminal, env);
      if (isFocused !== undefined) return isFocused;
    }
    return undefined;
  }

  it("knows which terminal has the focus", async () => {
    const one = await openTerminal("one");
    const other = await openTerminal("other");
    await focus("one");
    expect(await probeUntilKnown(one)).toBe(true);
    expect(await probeUntilKnown(other)).toBe(false);
    await focus("other");
    expect(await probeUntilKnown(one)).toBe(false);
    expect(await probeUntilKnown(other)).toBe(true);
  });

  it("knows the pane of tmux that is shown", async () => {
    const tmux = (...args: string[]): string => desktop.run("tmux", "-S", join(folder, "tmux"), ...args);
    start("xterm", "-T", "multiplexer", "-e", "tmux", "-S", join(folder, "tmux"), "new-session", "-s", "work");
    const panes = (): string[] => tmux("list-panes", "-a", "-F", "#{pane_pid} #{pane_tty}").trim().split("\n");
    await until(() => /^\d+ \/dev/.test(panes()[0] ?? ""), "tmux");
    await focus("multiplexer");
    tmux("split-window", "-d", "-t", "work");
    const [first, second] = panes().map((line): AgentTerminal => {
      const [pid = "", device = ""] = line.split(" ");
      return { pid: Number(pid), device, start: "", env: { TMUX: `${join(folder, "tmux")},1,0` } };
    });
    if (first === undefined || second === undefined) throw new Error("tmux did not split its window");
    expect(await probeUntilKnown(first)).toBe(true);
    expect(await probeUntilKnown(second)).toBe(false);
    tmux("select-pane", "-t", "work.1");
    expect(await probeUntilKnown(first)).toBe(false);
    expect(await probeUntilKnown(second)).toBe(true);
    tmux("new-window", "-t", "work");
    expect(await probeUntilKnown(second)).toBe(false);
    tmux("select-window", "-t", "work:0");
    await focus("one");
    expect(await probeUntilKnown(second)).toBe(false);
    // A terminal that reports its focus to tmux needs no window system that does.
    tmux("set-option", "-g", "focus-events", "on");
    await focus("multiplexer");
    await until(() => tmux("list-clients", "-F", "#{client_flags}").includes("focused"), "the client's focus");
    const { DISPLAY: _, ...noDisplay } = desktop.env;
    expect(await probeUntilKnown(second, noDisplay)).toBe(true);
    expect(await probeUntilKnown(first, noDisplay)).toBe(false);
    tmux("detach-client", "-s", "work");
    expect(await probeUntilKnown(second)).toBe(false);
  });

  it("knows how long ago the last input was", async () => {
    const display = desktop.env.DISPLAY ?? "";
    const idle = async (): Promise<number> => {
      const { idleMs } = await observeX11(display, new AbortController().signal);
      return idleMs ?? Number.NaN;
    };
    let before = await idle();
    while (before < 1000) before = await idle();
    // On a busy machine, a second may pass between the movement and the answer.
    let after = before;
    for (let tries = 0; tries < 50 && after >= before; tries += 1) {
      desktop.run("xdotool", "mousemove_relative", "--", tries % 2 === 0 ? "3" : "-3", "3");
      after = await idle();
    }
    expect(after).toBeLessThan(before);
  });

  it("takes no longer than its limit when the X server hangs, and then knows nothing of it", async () => {
    const terminal = await openTerminal("frozen");
    const pid = desktop.screenPid ?? 0;
    process.kill(pid, "SIGSTOP");
    try {
      expect((await probe(terminal)).isFocused).toBeUndefined();
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  it("knows nothing where nothing can be asked", async () => {
    const env = { PATH: process.env.PATH };
    const seen = await probePresence({ terminal: undefined, env, platform: "linux", nowMs: Date.now() });
    expect(seen).toEqual({ idleMs: undefined, isLocked: undefined, isFocused: undefined });
  });

  it("asks GNOME and KDE over the bus", async () => {
    const limits = { timeoutMs: longestWaitMs, signal: new AbortController().signal };
    expect(await observeDesktop(desktop.env, limits)).toMatchObject({ idleMs: undefined, isLocked: undefined });
    const stop = await serveOnBus(desktop, {
      "org.gnome.Mutter.IdleMonitor": { member: "GetIdletime", signature: "t", value: 61_000 },
      "org.gnome.ScreenSaver": { member: "GetActive", signature: "b", value: true },
    });
    try {
      expect(await observeDesktop(desktop.env, limits)).toMatchObject({ idleMs: 61_000, isLocked: true });
    } finally {
      stop();
    }
  });

  it("asks Sway for the focused window, and to focus another one", async () => {
    const tree = { nodes: [{ focused: false, pid: 1, nodes: [] }], floating_nodes: [{ focused: true, pid: 4711 }] };
    const path = join(folder, "sway");
    const asked: string[] = [];
    const server = createServer((socket) =>
      socket.once("data", (request) => {
        const command = request.subarray(14).toString();
        asked.push(command);
        expect(request.subarray(0, 6).toString()).toBe("i3-ipc");
        expect(request.readUInt32LE(6)).toBe(command.length);
        const type = request.readUInt32LE(10);
        const answer = type === 4 ? tree : [{ success: command === "[pid=4711] focus" }];
        const body = Buffer.from(JSON.stringify(answer));
        const head = Buffer.alloc(14);
        head.write("i3-ipc");
        head.writeUInt32LE(body.length, 6);
        head.writeUInt32LE(type, 10);
        socket.write(Buffer.concat([head, body.subarray(0, 9)]));
        socket.write(body.subarray(9));
      }),
    );
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    const { signal } = new AbortController();
    try {
      expect(await observeWlroots({ SWAYSOCK: path }, signal)).toEqual({ focus: { pid: 4711 } });
      expect(await focusWlroots({ SWAYSOCK: path }, [12, 4711, 1], signal)).toBe(true);
      expect(await focusWlroots({ SWAYSOCK: path }, [12], signal)).toBe(false);
      expect(asked).toEqual(["", "[pid=12] focus", "[pid=4711] focus", "[pid=12] focus"]);
    } finally {
      server.close();
    }
  });
});
