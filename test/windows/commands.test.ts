// What hookbell's commands do on Windows, where it is another system than elsewhere.
import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { longestWaitMs } from "../support/longest-wait.ts";
import { startHttpReceiver, type HttpReceiver } from "../support/receivers/http-receiver.ts";
import { newUser, type WindowsUser } from "./machine/user.ts";
import { describeOnWindows, startWindows, type Windows } from "./machine/windows.ts";

const stop = (session: string, cwd: string): string =>
  JSON.stringify({ hook_event_name: "Stop", session_id: session, cwd });

describeOnWindows("on Windows, a command of hookbell", () => {
  let windows: Windows;
  let receiver: HttpReceiver;
  let user: WindowsUser;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    windows = await startWindows();
    user = await newUser(windows, "Bo O'Neil");
    put("shop/.git/HEAD", "ref: refs/heads/main\n");
  });
  afterAll(async () => {
    windows?.stop();
    await receiver?.close();
  });

  const put = (name: string, text: string): string => user.put(name, text);
  const rules = (channels: object, rules: object[]): string =>
    put("AppData/Roaming/hookbell/rules.jsonc", JSON.stringify({ channels, rules }));
  const toReceiver = (): string => {
    const channels = { hook: { type: "webhook", url: receiver.origin } };
    return rules(channels, [{ name: "all", when: { event: "*" }, notify: ["hook"] }]);
  };
  const heard = (): string[] =>
    receiver.requests.map(
      ({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session,
    );
  const cli = (): string => `${user.home}\\AppData\\Roaming\\npm\\node_modules\\hookbell\\dist\\cli.js`;

  it("takes a payload that is piped to it without a word", async () => {
    toReceiver();
    const result = await user.run({ argv: ["node.exe", cli()], input: stop("piped", user.home) });
    expect(result).toMatchObject({ code: 0, stdout: "", stderr: "" });
    await vi.waitFor(() => expect(heard()).toContain("piped"), { timeout: longestWaitMs });
  });

  it("runs a script of cmd.exe with its arguments as they are, and never one of the current folder", async () => {
    put("bin/show args.cmd", '@node "%~dp0show.cjs" %*\r\n@exit /b 7\r\n');
    put("bin/show.cjs", "process.stdout.write(JSON.stringify(process.argv.slice(2)));");
    put("shop/show.cmd", "@echo planted\r\n");
    const args = ["a b", 'say "hi"', "x&y|z", "^caret", "C:\\end\\", ""];
    const env = { PATH: `${user.home}\\bin;${user.env.PATH}` };
    const run = (...command: string[]) =>
      user.run({ argv: ["node.exe", cli(), "run", "--", ...command], env, cwd: `${user.home}\\shop` });
    const shown = await run("show args", ...args);
    expect(shown).toMatchObject({ code: 7, stderr: "" });
    expect(JSON.parse(shown.stdout)).toEqual(args);
    expect(await run("show")).toMatchObject({ code: 127, stderr: "hookbell: cannot run show: command not found\n" });
  });

  it("runs the scripts of channels that doctor says it runs", async () => {
    const script = put("bin/ring.cmd", `@more >"%~dp0rung.json"\r\n`);
    rules({ ring: { type: "command", argv: [script] } }, [{ name: "all", when: { event: "*" }, notify: ["ring"] }]);
    expect((await user.hookbell("doctor")).stdout).toContain("runs ");
    const sent = await user.hookbell("test", "ring");
    expect(sent, sent.stdout + sent.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(user.file("bin/rung.json"), "utf8")).toContain('"deliveryId"');
  });

  it("keeps a client's work from others however its folder is spelled", async () => {
    const channels = { hook: { type: "webhook", url: receiver.origin } };
    const client = { name: "client", when: { cwd: "*/clients/acme" }, notify: [], final: true };
    rules(channels, [client, { name: "all", when: { event: "*" }, notify: ["hook"] }]);
    const folder = `${user.home.replace("C:", "c:")}\\Clients\\Acme`;
    const explained = await user.run({
      argv: ["node.exe", cli(), "explain", "--agent", "claude-code", "-"],
      input: stop("secret", folder),
    });
    expect(explained.stdout + explained.stderr).toMatch(/client/);
    expect(explained.stdout).not.toMatch(/→ hook|hook: /);
  });

  it("says that a file is in the way of a folder", async () => {
    const state = `${put("a file", "")}\\below`;
    const result = await user.run({
      argv: ["node.exe", cli(), "send", "--title", "x"],
      env: { HOOKBELL_STATE_DIR: state },
    });
    expect(result.stderr).toContain("a part of the path is a file, not a folder (ENOTDIR)");
  });

  it("finds the agents of the user, whatever HOME says", async () => {
    put(".claude/settings.json", "{}\n");
    const result = await user.run({
      argv: ["node.exe", cli(), "init", "--dry-run"],
      env: { HOME: "C:\\elsewhere" },
    });
    expect(result.stdout).toContain("Claude Code");
    expect(result.stdout).toContain(`${user.home}\\.claude\\settings.json`);
  });

  it("says that a toast was not shown whose helper is missing", async () => {
    rules({ desk: { type: "desktop" } }, []);
    const vendor = "AppData/Roaming/npm/node_modules/hookbell/node_modules/node-notifier/vendor/snoreToast";
    mkdirSync(user.file(`${vendor}-away`), { recursive: true });
    renameSync(user.file(`${vendor}/snoretoast-x64.exe`), user.file(`${vendor}-away/x.exe`));
    const result = await user.hookbell("test", "desk", "--json");
    renameSync(user.file(`${vendor}-away/x.exe`), user.file(`${vendor}/snoretoast-x64.exe`));
    expect(result.code).not.toBe(0);
    expect(result.stdout).toMatch(/ENOENT/);
  });

  it("has nothing to say against the files that it made itself", async () => {
    rules({}, []);
    const url = `url=https://hooks.slack.com/services/T000/B000/${"X".repeat(24)}`;
    const added = await user.hookbell(
      "channels",
      "add",
      "slack",
      "--events",
      "every",
      "--no-test",
      "--yes",
      "--set",
      url,
    );
    expect(added, added.stdout + added.stderr).toMatchObject({ code: 0 });
    const { stdout } = await user.hookbell("doctor");
    expect(stdout).toMatch(/slack/);
    expect(stdout).not.toMatch(/chmod|other users|mode \d/);
  });
});
