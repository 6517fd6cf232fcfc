// A click on a notification of mako focuses the terminal that asked in Sway, which draws on no screen.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { end, startDesktop, until } from "../../support/desktop/desktop-session.ts";
import { openWindow, runHook, windowParts } from "../../support/desktop/window.ts";
import { describeWithParts } from "../../support/parts.ts";
import { cliPath, payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { putScript } from "../../support/project/posix-hook.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const parts = ["sway", "swaymsg", "foot", "mako", "makoctl", "dbus-daemon", "dbus-send", "setpriv", ...windowParts];

/** Sway refuses to run as root. */
const otherUser = 65_534;

describeWithParts("a click on Wayland", parts, () => {
  it("focuses the terminal that asked", async () => {
    const desktop = await startDesktop("none");
    const children: ChildProcess[] = [];
    onTestFinished(async () => {
      await Promise.all(children.map(end));
      await desktop.stop();
    });
    const start = (env: object, program: string, ...args: string[]): void => {
      const child = spawn(program, args, { env: { ...desktop.env, ...env }, stdio: "ignore" });
      child.on("error", () => {});
      children.push(child);
    };
    const runtime = join(temporaryFolder(), "sway");
    mkdirSync(runtime, { mode: 0o700 });
    writeFileSync(join(runtime, "config"), "output HEADLESS-1 resolution 800x400\nxwayland disable\n");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) {
      chmodSync(dirname(runtime), 0o711);
      chownSync(runtime, otherUser, otherUser);
    }
    const asUser = isRoot ? [`--reuid=${otherUser}`, `--regid=${otherUser}`, "--clear-groups"] : ["--no-new-privs"];
    const headless = { WLR_BACKENDS: "headless", WLR_LIBINPUT_NO_DEVICES: "1", WLR_RENDERER: "pixman" };
    const places = { XDG_RUNTIME_DIR: runtime, HOME: runtime };
    start({ ...headless, ...places }, "setpriv", ...asUser, "sway", "-c", join(runtime, "config"));
    const find = (name: RegExp): string => readdirSync(runtime).find((each) => name.test(each)) ?? "";
    await until(() => find(/^sway-ipc/) !== "" && find(/^wayland-\d+$/) !== "", "Sway");
    const screen = {
      SWAYSOCK: join(runtime, find(/^sway-ipc/)),
      WAYLAND_DISPLAY: join(runtime, find(/^wayland-\d+$/)),
    };
    const env = { ...desktop.env, ...screen };
    const run = (program: string, ...args: string[]): string =>
      spawnSync(program, args, { env, encoding: "utf8" }).stdout;
    start(screen, "mako");
    const namesOwner = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/"];
    const hasOwner = [...namesOwner, "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Notifications"];
    await until(() => run("dbus-send", ...hasOwner).includes("true"), "mako");

    const focused = (): string => {
      const windows = (node: Node): Node[] => [node, ...node.nodes.flatMap(windows)];
      return windows(JSON.parse(run("swaymsg", "-t", "get_tree")) as Node).find((node) => node.focused)?.name ?? "";
    };
    const project = temporaryProject();
    project.writeRules({
      channels: { screen: { type: "desktop" } },
      rules: [{ name: "asks", when: { event: "Notification" }, notify: ["screen"] }],
    });
    const seat = { ...project.env, ...env, HOME: project.home };
    for (const title of ["first", "second"]) {
      mkdirSync(join(project.home, title));
      await openWindow(join(project.home, title), seat, (line) => `foot -T ${title} ${line}`);
      await until(() => focused() === title, `the terminal ${title}`);
    }
    const script = putScript(join(project.home, "hookbell-hook.sh"));
    const payload = join(project.home, "payload.json");
    writeFileSync(payload, payloadOf("Notification", { message: "May I push?" }));
    runHook(join(project.home, "first"), 0, `sh '${script}' --agent generic <'${payload}'`);
    const click = () => project.journal().find(({ verdict }) => verdict === "clicked");
    await project.until("the click", () => {
      run("makoctl", "invoke");
      return click() !== undefined;
    });
    expect(click()).toMatchObject({ why: "raised its window" });
    await project.until("the first terminal in front", () => focused() === "first");
    const doctor = spawnSync(process.execPath, [cliPath, "doctor"], { env: seat, encoding: "utf8" });
    expect(doctor.stdout).toMatch(/screen \(desktop\): mako [^;]*; a click raises the terminal/);
  });
});

interface Node {
  name: string | null;
  focused: boolean;
  nodes: Node[];
}
