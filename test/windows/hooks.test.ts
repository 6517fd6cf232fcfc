// What agents run on Windows where something is in its way: a stranger's project, no Node on PATH, no hookbell any more.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { longestWaitMs } from "../support/longest-wait.ts";
import { startHttpReceiver, type HttpReceiver } from "../support/receivers/http-receiver.ts";
import { newUser, type WindowsUser } from "./machine/user.ts";
import { byCmd, describeOnWindows, startWindows, type Windows, type WindowsResult } from "./machine/windows.ts";
import { agentsOnWindows, samplePayload, writtenCalls } from "./settings.ts";

const node = "C:\\Program Files\\nodejs\\node.exe";
const system = String.raw`C:\windows\system32;C:\windows`;

describeOnWindows("on Windows, a hook", () => {
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

  const put = (user: WindowsUser, name: string, text: string): void => {
    mkdirSync(user.file(name.replace(/\/[^/]*$/, "")), { recursive: true });
    writeFileSync(user.file(name), text);
  };
  /** The name is no other test's, since those of other files run at the same time. */
  const prepare = async (name: string): Promise<WindowsUser> => {
    const user = await newUser(windows, name);
    for (const { path } of agentsOnWindows) mkdirSync(user.file(path.replace(/\/.*$/, "")), { recursive: true });
    mkdirSync(user.file(".config/opencode"), { recursive: true });
    const channels = { hook: { type: "webhook", url: receiver.origin } };
    const rules = [{ name: "all", when: { event: "*" }, notify: ["hook"] }];
    put(user, "AppData/Roaming/hookbell/rules.jsonc", JSON.stringify({ channels, rules }));
    mkdirSync(user.file("shop"));
    return user;
  };
  const agents = agentsOnWindows.map(({ id }) => id).join(",");
  const init = async (user: WindowsUser, env: Record<string, string> = {}, program = node): Promise<void> => {
    const cli = `${user.env.APPDATA}\\npm\\node_modules\\hookbell\\dist\\cli.js`;
    const installed = await user.run({
      argv: [program, cli, "init", "--yes", "--agent", agents],
      env,
    });
    expect(installed, installed.stdout).toMatchObject({ code: 0, stderr: "" });
  };
  /** What each agent's command gave, in the project, with these variables. */
  const callAll = async (
    user: WindowsUser,
    sessions: string,
    env: Record<string, string> = {},
  ): Promise<{ written: string; session: string; result: WindowsResult }[]> => {
    const project = `${user.home}\\shop`;
    const results = [];
    for (const [index, call] of agentsOnWindows.flatMap((agent) => writtenCalls(agent, user)).entries()) {
      const session = `${sessions}-${index}`;
      const result = await user.run({ ...call.with(samplePayload(call, session, project)), cwd: project, env });
      results.push({ written: call.written, session, result });
    }
    return results;
  };
  const expectHeard = async (sessions: string[]): Promise<void> => {
    const heard = (): string[] =>
      receiver.requests.map(
        ({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session,
      );
    await vi.waitFor(() => expect(heard()).toEqual(expect.arrayContaining(sessions)), { timeout: longestWaitMs });
  };

  it("starts nothing that lies in the project, whatever its folder has and PATH leads to", async () => {
    const user = await prepare("Bea Ito");
    await init(user);
    const project = `${user.home}\\shop`;
    const inWindows = windows.fileOf(node);
    for (const name of ["node", "cmd", "powershell", "hookbell", "hookbell-hook"]) {
      for (const ending of ["bat", "cmd"])
        put(user, `shop/${name}.${ending}`, `@echo ran %0>>"${project}\\proof.txt"\r\n`);
      put(user, `shop/${name}.js`, `require("fs").writeFileSync(${JSON.stringify(`${project}\\proof.txt`)}, "ran");`);
    }
    mkdirSync(user.file("shop/node_modules/.bin"), { recursive: true });
    mkdirSync(user.file("shop/tools"));
    // A Node of the project's own, which would run as well as the user's.
    for (const place of ["", "node_modules/.bin/", "tools/"])
      copyFileSync(inWindows, user.file(`shop/${place}node.exe`));
    const inProject = [".", "node_modules\\.bin", project, `${project}\\node_modules\\.bin`, `${project}\\tools`];
    const PATH = [...inProject, '"C:\\Program Files (x86)\\quoted"', user.env.PATH].join(";");
    // The script has to look for Node.
    const script = user.file("AppData/Local/hookbell/hookbell-hook.cmd");
    const looking = readFileSync(script, "utf8").replace(/^set "node=C.*"/m, 'set "node=C:\\gone\\node.exe"');
    expect(looking).toContain("gone");
    writeFileSync(script, looking.replace('"!node!" ', 'echo !node!>"%~dp0ran-by.txt"\r\n"!node!" '));

    const results = await callAll(user, "stranger", { PATH });
    for (const { written, result } of results) expect(result, written).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(user.file("shop/proof.txt"))).toBe(false);
    expect(readFileSync(user.file("AppData/Local/hookbell/ran-by.txt"), "utf8").trim()).toBe(node);
    await expectHeard(results.map(({ session }) => session));
  });

  it("finds the Node that init ran with where PATH has none, and says so where there is none at all", async () => {
    const user = await prepare("Chloé");
    await init(user, { PATH: system });
    const results = await callAll(user, "no-node", { PATH: system });
    for (const { written, result } of results) expect(result, written).toMatchObject({ code: 0, stderr: "" });
    await expectHeard(results.map(({ session }) => session));

    const script = user.file("AppData/Local/hookbell/hookbell-hook.cmd");
    writeFileSync(script, readFileSync(script, "utf8").replace(/^set "node=C.*"/m, 'set "node="'));
    const result = await user.run({
      ...byCmd(`${user.stateDir}\\hookbell-hook.cmd --agent droid`),
      env: { PATH: system },
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^hookbell: there is no Node.js on PATH any more: [^\n]*\r?\n$/);
  });

  // The single executable is such a program: Node under another name.
  it("is called by a Node of another name where that one wrote it", async () => {
    const user = await prepare("dan");
    mkdirSync(user.file("bin"));
    copyFileSync(windows.fileOf(node), user.file("bin/hookbell.exe"));
    await init(user, { PATH: system }, `${user.home}\\bin\\hookbell.exe`);
    expect(readFileSync(user.file(".claude/settings.json"), "utf8")).toContain(`dan/bin/hookbell.exe"`);
    const results = await callAll(user, "executable", { PATH: system });
    for (const { written, result } of results) expect(result, written).toMatchObject({ code: 0, stderr: "" });
    await expectHeard(results.map(({ session }) => session));
  });

  it("outlives the version of Node that wrote it", async () => {
    const user = await prepare("gil");
    const version = "AppData/Roaming/nvm/v20.20.2";
    mkdirSync(user.file(version), { recursive: true });
    copyFileSync(windows.fileOf(node), user.file(`${version}/node.exe`));
    await init(user, { PATH: system }, `${user.home}\\${version.replaceAll("/", "\\")}\\node.exe`);
    const withShell = agentsOnWindows.filter(({ id }) => id !== "auggie");
    for (const { path } of withShell) expect(readFileSync(user.file(path), "utf8"), path).not.toContain("v20.20.2");
    rmSync(user.file(version), { recursive: true });
    const results = (await callAll(user, "version")).filter(({ written }) => !written.includes("--agent auggie"));
    for (const { written, result } of results) expect(result, written).toMatchObject({ code: 0, stderr: "" });
    await expectHeard(results.map(({ session }) => session));
  });

  it("says once that hookbell is gone, and is silent from then on", async () => {
    const user = await prepare("eva");
    await init(user);
    rmSync(user.file("AppData/Roaming/npm"), { recursive: true });
    const [first, ...others] = await callAll(user, "gone");
    expect(first?.result).toMatchObject({ code: 1, stdout: "" });
    expect(first?.result.stderr).toMatch(/^hookbell: there is no hookbell in [^\n]*settings\.json[^\n]*\n$/);
    for (const { written, result } of others)
      expect(result, written).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  it("of an earlier hookbell becomes the new one with init, and goes with uninstall", async () => {
    const user = await prepare("finn");
    const hook = `${user.home}\\AppData\\Roaming\\npm\\node_modules\\hookbell\\dist\\hook.cjs`.replaceAll("\\", "/");
    const old = (id: string): string => `node "${hook}" --agent ${id}`;
    const entry = { type: "command", command: old("claude-code"), timeout: 10 };
    put(user, ".claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [entry] }] } }));
    put(user, ".cursor/hooks.json", JSON.stringify({ version: 1, hooks: { stop: [{ command: old("cursor") }] } }));
    await init(user);
    for (const name of [".claude/settings.json", ".cursor/hooks.json"]) {
      expect(readFileSync(user.file(name), "utf8")).not.toMatch(/node \\"|dist\/hook\.cjs/);
    }
    const doctor = await user.hookbell("doctor");
    expect(doctor.stdout).toMatch(/ok +Claude Code: its hooks call this hookbell/);
    expect(doctor.stdout).toMatch(/ok +Droid: its hooks call this hookbell/);
    const verified = await user.hookbell("init", "--verify", "claude-code,droid");
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    const removed = await user.hookbell("uninstall", "--yes");
    expect(removed, removed.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(user.file(".cursor/hooks.json"), "utf8")).not.toContain("hookbell");
  });
});
