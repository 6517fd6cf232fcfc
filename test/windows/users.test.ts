// What a user of Windows gets, from init to uninstall, whatever their name.
import { mkdirSync, existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startHttpReceiver, type HttpReceiver } from "../support/receivers/http-receiver.ts";
import { longestWaitMs } from "../support/longest-wait.ts";
import { newUser, type WindowsUser } from "./machine/user.ts";
import { describeOnWindows, startWindows, type Windows } from "./machine/windows.ts";
import { agentsOnWindows, samplePayload, writtenCalls } from "./settings.ts";

describeOnWindows("on Windows, hookbell of a user", () => {
  let windows: Windows;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    windows = await startWindows();
  });
  afterAll(async () => {
    windows?.stop();
    await receiver?.close();
  });

  /** The agents' settings, and rules by which the receiver hears of every event. */
  const prepare = (user: WindowsUser): void => {
    for (const { path, before } of agentsOnWindows) {
      if (before === undefined) mkdirSync(dirname(dirname(user.file(path))), { recursive: true });
      else user.put(path, before);
    }
    const channels = { hook: { type: "webhook", url: receiver.origin } };
    const rules = [{ name: "all", when: { event: "*" }, notify: ["hook"] }];
    user.put("AppData/Roaming/hookbell/rules.jsonc", JSON.stringify({ channels, rules }));
    mkdirSync(user.file("shop"));
  };
  const heard = (): string[] =>
    receiver.requests.map(
      ({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session,
    );

  it.each(["Ann Lee", "Zoë", "a&b^c%d"])("installs, hears each agent and takes itself out again: %s", async (name) => {
    const user = await newUser(windows, name);
    prepare(user);
    const agents = agentsOnWindows.map(({ id }) => id).join(",");
    const installed = await user.hookbell("init", "--yes", "--agent", agents);
    expect(installed, installed.stdout).toMatchObject({ code: 0, stderr: "" });

    const calls = agentsOnWindows.flatMap((agent) => writtenCalls(agent, user));
    expect([...new Set(calls.map(({ agent }) => agent))]).toEqual(agentsOnWindows.map(({ id }) => id));
    const project = `${user.home}\\shop`;
    const sessions = calls.map(({ agent }, index) => `${name}-${agent}-${index}`);
    for (const [index, call] of calls.entries()) {
      const payload = samplePayload(call, sessions[index] ?? "", project);
      const result = await user.run({ ...call.with(payload), cwd: project });
      expect(result, call.written).toMatchObject({ code: 0, stderr: "" });
    }
    await vi.waitFor(() => expect(heard()).toEqual(expect.arrayContaining(sessions)), { timeout: longestWaitMs });

    const removed = await user.hookbell("uninstall", "--yes");
    expect(removed, removed.stdout).toMatchObject({ code: 0, stderr: "" });
    for (const { path, before } of agentsOnWindows) {
      expect(existsSync(user.file(path)) ? readFileSync(user.file(path), "utf8") : undefined, path).toBe(before);
    }
  });
});
