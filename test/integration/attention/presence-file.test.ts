// The presence file of Claude Code: looked at with stat(2), as Claude Code does, while a real dispatcher keeps it.
import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Presence } from "../../../src/policies/presence.ts";
import { createPresenceFile } from "../../../src/daemon/lasting/presence-file.ts";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { isForeign, putPresenceFile, removePresenceFile } from "../../../src/system/presence/presence-file.ts";
import { startDesktop } from "../../support/desktop/desktop-session.ts";
import { describeWithParts } from "../../support/parts.ts";
import { deadPid } from "../../support/project/forged-lease.ts";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const second = 1000;

async function keeping(presence: () => Presence | undefined) {
  const running = prepareDispatcher();
  const path = join(running.dispatcher.tools.home, "present");
  running.writeRules({ channels: {}, rules: [], presenceFile: path });
  await running.dispatcher.rereadRules();
  running.dispatcher.observePresence = async () => presence() ?? {};
  return { ...running, path };
}

describe("the presence file", () => {
  it("is there while the user is at the computer, and gone with the dispatcher", async () => {
    let presence: Presence = { idleMs: 5 * second };
    const { dispatcher, clock, until, path } = await keeping(() => presence);
    const keeper = createPresenceFile(dispatcher);
    await keeper.start?.();
    clock.turn(20 * second);
    await new Promise(setImmediate);
    expect(existsSync(path)).toBe(false);
    const lease = takeLease(dispatcher.layout, clock);
    const becomes = async (isThere: boolean): Promise<void> => {
      await until(isThere ? "the file" : "its end", () => {
        clock.turn(second);
        lease?.renew();
        return existsSync(path) === isThere;
      });
    };
    await becomes(true);
    for (const away of [{ idleMs: 121 * second }, { idleMs: 0, isLocked: true }, {}]) {
      presence = away;
      await becomes(false);
      presence = { idleMs: 0, isLocked: false };
      await becomes(true);
    }
    await keeper.stop?.("ended");
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(dirname(path))).toEqual(["rules.jsonc"]);
  });

  it.each([
    ["linux (posix)", "linux"],
    ["macOS", "darwin"],
    ["Windows", "win32"],
  ] as const)("on %s belongs to one process, and no other file is touched", (_name, platform) => {
    const path = join(temporaryFolder(), "present");
    putPresenceFile(path, platform, deadPid);
    expect(existsSync(path)).toBe(platform !== "linux");
    putPresenceFile(path, platform);
    expect(statSync(path).isFile()).toBe(true);
    removePresenceFile(path, deadPid);
    expect(existsSync(path)).toBe(true);
    removePresenceFile(path);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, "mine");
    putPresenceFile(path, platform);
    removePresenceFile(path);
    expect(isForeign(path)).toBe(true);
  });
});

async function start(): Promise<{ project: Project; path: string }> {
  const desktop = await startDesktop("dunst");
  onTestFinished(desktop.stop);
  const project = temporaryProject();
  Object.assign(project.env, { DISPLAY: desktop.env.DISPLAY });
  const path = join(project.home, "present");
  project.writeRules({ channels: {}, rules: [], presenceFile: "~/present" });
  await project.hook(payloadOf("Stop"));
  await project.until("the file", () => existsSync(path));
  return { project, path };
}

describeWithParts("with an X server, the presence file", ["Xvfb", "dbus-daemon", "dunst"], () => {
  it.each([
    ["ends", "SIGTERM"],
    ["is killed", "SIGKILL"],
  ] as const)("is gone when the dispatcher %s", async (_what, signal) => {
    const { project, path } = await start();
    process.kill(dispatcherPid(project), signal);
    await project.until("its end", () => !existsSync(path));
    expect(lstatSync(path, { throwIfNoEntry: false }) === undefined).toBe(signal === "SIGTERM");
    await project.hook(payloadOf("Stop"));
    await project.until("the file of the next dispatcher", () => existsSync(path));
  });

  it("is in doctor's report: which variable is missing, and that all is well", async () => {
    const { project, path } = await start();
    const report = async (): Promise<string> => (await project.run(["doctor"])).stdout.replaceAll(/\s+/g, " ");
    // On a busy machine, the desktop may not say in time when it was last used.
    await expect.poll(report).toContain("CLAUDE_CLIENT_PRESENCE_FILE is not set");
    mkdirSync(join(project.home, ".claude"));
    writeFileSync(
      join(project.home, ".claude/settings.json"),
      JSON.stringify({ env: { CLAUDE_CLIENT_PRESENCE_FILE: path } }),
    );
    await expect.poll(report).toContain(`Claude Code reads the presence file ${path}`);
  });
});
