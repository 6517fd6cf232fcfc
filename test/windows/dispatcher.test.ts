// That nothing is lost on Windows: where the dispatcher is killed, a virus scanner holds a file, or a hook waits for an answer. And that
// the session of an agent which was killed ends.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { longestWaitMs } from "../support/longest-wait.ts";
import { startHttpReceiver, type HttpReceiver } from "../support/receivers/http-receiver.ts";
import { botToken, startPretendTelegram } from "../support/receivers/pretend-telegram.ts";
import { newUser, type WindowsUser } from "./machine/user.ts";
import { byCmd, describeOnWindows, startWindows, type Windows, type WindowsResult } from "./machine/windows.ts";
import { agentsOnWindows, samplePayload, type WrittenCall, writtenCalls } from "./settings.ts";

const claude = agentsOnWindows.filter(({ id }) => id === "claude-code");

const js = (value: unknown): string => JSON.stringify(value);

describeOnWindows("on Windows", () => {
  let windows: Windows;
  let receiver: HttpReceiver;
  let user: WindowsUser;
  beforeAll(async () => {
    receiver = await startHttpReceiver();
    windows = await startWindows();
    user = await newUser(windows, "Zoë Ärger");
  });
  afterAll(async () => {
    windows?.stop();
    await receiver?.close();
  });

  const heard = (): string[] =>
    receiver.requests.map(
      ({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session,
    );
  const rules = (more: object, phone: object = {}): void => {
    const channels = { hook: { type: "webhook", url: receiver.origin }, ...phone };
    const all = [{ name: "all", when: { event: "*" }, notify: Object.keys(channels) }];
    user.put("AppData/Roaming/hookbell/rules.jsonc", JSON.stringify({ ...more, channels, rules: all }));
  };
  /** The command that `init` writes for the end of a turn, or for a question that can be answered. */
  const installed = async (event: "Stop" | "PermissionRequest", ...others: string[]): Promise<WrittenCall> => {
    for (const { path, before = "" } of claude) user.put(path, before);
    const agents = ["claude-code", ...others].flatMap((id) => ["--agent", id]);
    const result = await user.hookbell("init", "--yes", ...agents);
    expect(result, result.stdout).toMatchObject({ code: 0, stderr: "" });
    const found = claude
      .flatMap((agent) => writtenCalls(agent, user))
      .find(({ written }) => written.includes("--answer") === (event === "PermissionRequest"));
    if (found === undefined) throw new Error("init wrote no hook");
    return { ...found, event };
  };

  /** `hookbell` where another program has a file open: the code makes functions of `fs` answer what Windows then answers. */
  const hookbellBeside = async (code: string, ...args: string[]): Promise<WindowsResult> => {
    const text = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      ${code}
      syncBuiltinESMExports();
    `;
    writeFileSync(windows.fileOf("C:\\beside.mjs"), text);
    const cli = `${user.home}\\AppData\\Roaming\\npm\\node_modules\\hookbell\\dist\\cli.js`;
    return await user.run({ argv: ["node.exe", "--import=file:///C:/beside.mjs", cli, ...args] });
  };

  it("fifty events arrive although the dispatcher is killed among them", async () => {
    rules({});
    const call = await installed("Stop");
    const sessions = Array.from({ length: 50 }, (_, index) => `fifty-${index}`);
    const left = [...sessions];
    const hook = async (): Promise<void> => {
      for (let session = left.shift(); session !== undefined; session = left.shift()) {
        const result = await user.run(call.with(samplePayload(call, session, user.home)));
        expect(result).toMatchObject({ code: 0, stdout: "", stderr: "" });
        if (session === "fifty-20") await killDispatcher();
      }
    };
    const killDispatcher = async (): Promise<void> => {
      const lease = user.file("AppData/Local/hookbell/lease");
      await vi.waitFor(() => expect(existsSync(lease)).toBe(true), { timeout: longestWaitMs });
      const { pid } = JSON.parse(readFileSync(lease, "utf8").replace(/\}[^}]*$/, "}")) as { pid: number };
      await windows.kill(pid);
    };
    await Promise.all([hook(), hook(), hook()]);
    await vi.waitFor(() => expect(heard()).toEqual(expect.arrayContaining(sessions)), { timeout: longestWaitMs });
  });

  it("a virus scanner that holds the settings for a moment does not stop init", async () => {
    for (const { path, before = "" } of claude) user.put(path, before);
    const scanner = `
      const { renameSync } = fs;
      let count = 0;
      fs.renameSync = (from, to) => {
        if (!/settings\\.json$/.test(to) || count++ > 1) return renameSync(from, to);
        throw Object.assign(new Error("EPERM"), { code: "EPERM", path: from, syscall: "rename" });
      };
    `;
    const result = await hookbellBeside(scanner, "init", "--yes", "--agent", "claude-code");
    expect(result, result.stdout).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(user.file(".claude/settings.json"), "utf8")).toContain("hookbell-hook");
  });

  it("a program that keeps the folders of init --verify open takes nothing of its report", async () => {
    for (const { path, before = "" } of claude) user.put(path, before);
    await user.hookbell("init", "--yes", "--agent", "claude-code");
    const keeper = `
      const { rmSync } = fs;
      fs.rmSync = (path, options) => {
        if (!/[/\\\\]hookbell-\\w{6}$/.test(path)) return rmSync(path, options);
        process.stderr.write("kept\\n");
        throw Object.assign(new Error("EBUSY"), { code: "EBUSY", path, syscall: "rm" });
      };
    `;
    const kept = await hookbellBeside(keeper, "init", "--verify", "claude-code");
    expect(kept, kept.stdout).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:kept\n)+$/) });
    expect(kept.stdout).toMatch(/^ {2}ok +Stop: arrived in .*\n[^]*^ {2}This does not prove that/m);
  });

  it("a hook waits for the answer that its user gives in a shell", async () => {
    const telegram = await startPretendTelegram();
    onTestFinished(telegram.close);
    const phone = { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true };
    rules({ answers: { holdFor: "5m" } }, { phone });
    const call = await installed("PermissionRequest");
    const payload = {
      ...samplePayload(call, "asks", user.home),
      tool_name: "Bash",
      tool_input: { command: "npm publish" },
    };
    const asked = user.run({ ...call.with(payload), env: { CLAUDE_CODE_ENTRYPOINT: "cli" } });
    const pending = async (): Promise<{ id: string }[]> => {
      const { stdout } = await user.hookbell("pending", "--json");
      return JSON.parse(stdout) as { id: string }[];
    };
    const [question] = await vi.waitFor(
      async () => {
        const found = await pending();
        expect(found.length).toBe(1);
        return found;
      },
      { timeout: longestWaitMs },
    );
    const given = await user.hookbell("answer", question?.id ?? "", "deny", "--message", "Not today");
    expect(given, given.stderr).toMatchObject({ code: 0 });
    const { code, stdout } = await asked;
    expect(code).toBe(0);
    expect(stdout).toContain("Not today");
  });

  /** Starts `hook` as an agent does, and stays until it is killed. */
  const startAgent = async (hook: string): Promise<{ pid(): number; ended: Promise<WindowsResult> }> => {
    const text = `
      import { spawn } from "node:child_process";
      import { mkdirSync, writeFileSync } from "node:fs";
      import { pathToFileURL } from "node:url";
      const { pid } = process;
      const start = ([program, ...args], input, more = {}) =>
        spawn(program, args, { env: { ...process.env, ...more.env }, windowsVerbatimArguments: more.isVerbatim }).stdin.end(input);
      writeFileSync("C:/agent.pid", String(pid));
      setInterval(() => {}, 1000);
      ${hook}
    `;
    writeFileSync(windows.fileOf("C:\\agent.mjs"), text);
    const ended = user.run({ argv: ["node.exe", "C:\\agent.mjs"] });
    return { pid: () => Number(readFileSync(windows.fileOf("C:\\agent.pid"), "utf8")), ended };
  };
  const stateOf = (agent: string): string | undefined => {
    const folder = user.file("AppData/Local/hookbell/sessions");
    const all = readdirSync(folder).map(
      (name) =>
        JSON.parse(readFileSync(join(folder, name), "utf8")) as {
          agent: string;
          session: string;
          state: { kind: string };
        },
    );
    return all.find((each) => each.agent === agent && each.session === "killed")?.state.kind;
  };

  it.each([
    [
      "Claude Code, which starts its hooks itself",
      "claude-code",
      (argv: readonly string[], input: string) => `start(${js(argv)}, ${js(input)}, { env: { CLAUDE_PID: pid } });`,
    ],
    [
      "Copilot CLI, whose hooks a shell starts",
      "copilot-cli",
      (argv: readonly string[], input: string) => `
        const session = ${js(`${user.home}\\.copilot\\session-state\\killed`)};
        mkdirSync(session, { recursive: true });
        writeFileSync(session + "\\\\inuse." + pid + ".lock", String(pid));
        start(${js(byCmd(argv.map((word) => `"${word}"`).join(" ")).argv)}, ${js(input)}, { isVerbatim: true });
      `,
    ],
    [
      "opencode, by hookbell's plug-in",
      "opencode",
      () => `
        const { Hookbell } = await import(pathToFileURL(${js(`${user.home}\\.config\\opencode\\plugins\\hookbell.js`)}));
        const { event } = await Hookbell({ directory: ${js(user.home)} });
        await event({ event: { type: "session.status", properties: { sessionID: "killed", status: { type: "busy" } } } });
      `,
    ],
  ])("ends the session of an agent that is killed: %s", async (_what, agent, hook) => {
    rules({});
    const call = await installed("Stop", "opencode");
    const payload = {
      hook_event_name: "UserPromptSubmit",
      session_id: "killed",
      cwd: user.home,
      prompt: "Fix the cart",
    };
    const { argv } = call.with(payload);
    const { pid, ended } = await startAgent(
      hook(
        argv.map((word) => word.replace("claude-code", agent)),
        JSON.stringify(payload),
      ),
    );
    await vi.waitFor(() => expect(stateOf(agent)).toBe("working"), { timeout: longestWaitMs });
    await windows.kill(pid());
    await ended;
    await vi.waitFor(() => expect(stateOf(agent)).toBe("gone"), { timeout: longestWaitMs });
  });
});
