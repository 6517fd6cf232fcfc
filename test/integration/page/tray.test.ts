// The tray's icon on a real session bus: what a tray reads of it, what a click starts, and when it ends.
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startDesktop, type DesktopSession } from "../../support/desktop/desktop-session.ts";
import { startTray } from "../../support/desktop/tray.ts";
import { describeWithParts } from "../../support/parts.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startServerProcess } from "../../support/usage/server-process.ts";

interface OnDesktop {
  project: Project;
  desktop: DesktopSession;
}

/** Programs of the test's own stand for those that open links and terminals; each writes down what it was given. */
async function openDesktop(): Promise<OnDesktop> {
  const desktop = await startDesktop("none");
  onTestFinished(desktop.stop);
  const project = temporaryProject();
  const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } = desktop.env;
  for (const name of ["xdg-open", "xdg-terminal-exec"]) {
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" "$XDG_ACTIVATION_TOKEN" >'${project.home}/${name}.aside'\nmv '${project.home}/${name}.aside' '${project.home}/${name}.given'\n`;
    writeFileSync(join(project.home, name), script, { mode: 0o755 });
  }
  Object.assign(project.env, {
    DBUS_SESSION_BUS_ADDRESS,
    XDG_RUNTIME_DIR,
    PATH: `${project.home}:${process.env.PATH ?? ""}`,
  });
  project.writeRules({ channels: {}, rules: [] });
  return { project, desktop };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

const ask = (project: Project, session: string) =>
  project.hook(
    payloadOf("Notification", { notification_type: "permission_prompt", session_id: session, message: "?" }),
  );

async function given(project: Project, program: string): Promise<string[]> {
  const path = join(project.home, `${program}.given`);
  await project.until(`a start of ${program}`, () => existsSync(path));
  return readFileSync(path, "utf8").split("\n");
}

describeWithParts("hookbell tray", ["dbus-daemon"], () => {
  it("counts the sessions that need the person, and tells the tray of each change", async () => {
    const { project, desktop } = await openDesktop();
    const tray = await startTray(desktop);
    const child = project.start(["tray"]);
    await project.until("its registration", () => tray.registered.length === 1);
    expect(tray.registered).toEqual([`org.kde.StatusNotifierItem-${child.pid}-1`]);
    expect(await tray.property("Status")).toBe("Active");
    expect(await tray.property("Title")).toBe("hookbell: no session needs you");
    expect(await tray.property("XAyatanaLabel")).toBe("");
    const [[width, height, bytes]] = (await tray.property("IconPixmap")) as [[number, number, Buffer]];
    expect([width, height, bytes.length]).toEqual([32, 32, 32 * 32 * 4]);
    await ask(project, "s-1");
    // It comes last.
    await project.until("the news", () => tray.signals.includes("XAyatanaNewLabel"));
    expect(tray.signals).toEqual(["NewIcon", "NewToolTip", "NewTitle", "NewStatus", "XAyatanaNewLabel"]);
    expect(await tray.property("Status")).toBe("NeedsAttention");
    expect(await tray.property("Title")).toBe("hookbell: 1 session needs you");
    const seen = tray.signals.length;
    await ask(project, "s-2");
    await project.until("more news", () => tray.signals.length > seen);
    expect(await tray.property("XAyatanaLabel")).toBe("2");
    // What no item has ends nothing.
    expect(await tray.property("NoSuchProperty")).toBe("");
    await expect(tray.call("toString")).rejects.toThrow("UnknownMethod");
    await expect(tray.call("Title")).rejects.toThrow("org.freedesktop.DBus.Error");
    expect(await tray.property("ToolTip")).toEqual(["", [], "hookbell", "2 sessions need you"]);
    const second = await project.run(["tray"]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("is in the tray already") as unknown });
    // A tray that starts again is told of it.
    tray.stop();
    const again = await startTray(desktop);
    await project.until("its registration again", () => again.registered.length > 0);
    const ended = endOf(child);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("opens the page at the session that needs the person, and the board in a terminal where no page is served", async () => {
    const { project, desktop } = await openDesktop();
    const tray = await startTray(desktop);
    project.start(["tray"]);
    await project.until("its registration", () => tray.registered.length === 1);
    await ask(project, "s-1");
    await project.until("the session", () => tray.signals.includes("NewTitle"));
    await tray.call("Activate", "ii", 0, 0);
    const command = await given(project, "xdg-terminal-exec");
    expect(command.slice(0, 3)).toEqual([process.execPath, expect.stringMatching(/cli\.js$/), "board"]);
    const server = await startServerProcess(project);
    onTestFinished(async () => void (await server.end("SIGTERM")));
    await tray.call("ProvideXdgActivationToken", "s", "t0ken");
    await tray.call("Activate", "ii", 0, 0);
    const [link, token] = await given(project, "xdg-open");
    expect(link).toMatch(new RegExp(`^${server.url}/#session=[0-9a-f]{32}$`));
    expect(token).toBe("t0ken");
  });

  it("ends with the session bus, and says where there is no tray and no bus", async () => {
    const { project, desktop } = await openDesktop();
    expect(await project.run(["tray"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this desktop has no tray") as unknown,
    });
    const tray = await startTray(desktop);
    const child = project.start(["tray"]);
    const ended = endOf(child);
    await project.until("its registration", () => tray.registered.length === 1);
    await desktop.stop();
    expect(await ended).toBe(0);
    expect(await project.run(["tray"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no D-Bus session bus") as unknown,
    });
  });
});
