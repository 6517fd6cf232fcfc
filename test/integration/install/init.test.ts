// init and uninstall over real files in a temporary home.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Ask } from "../../../src/console/ask.ts";
import { init, type InitParts } from "../../../src/commands/init/init.ts";
import { uninstall } from "../../../src/commands/init/uninstall.ts";
import { listTargets } from "../../../src/install/target/agent-target.ts";
import { applyInstall, prepareInstall, type InstallContext } from "../../../src/install/install-agent.ts";
import { UserError } from "../../../src/model/errors.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { replaceSettingsFile } from "../../../src/system/files/replace-settings-file.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { openSettingsFile } from "../../../src/system/files/settings-file.ts";
import { recordStore } from "../../../src/install/record/record.ts";

const installation = { nodePath: "/usr/bin/node", hookPath: "/opt/lib/node_modules/hookbell/dist/hook.cjs" };
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-init-"));
});
afterEach(() => {
  try {
    rmSync(home, { recursive: true, force: true });
  } catch {
    // A test took rights away, which bind anyone but root.
    spawnSync("chmod", ["-R", "u+rwx", home]);
    rmSync(home, { recursive: true, force: true });
  }
});

function put(path: string, text: string, mode = 0o644): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

/** Every file below the home with its mode and content, without our own state. */
function snapshot(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(home, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.startsWith(".local") && lstatSync(join(home, name)).isFile())
      .sort()
      .map((name) => [
        name.replaceAll("\\", "/"),
        `${(statSync(join(home, name)).mode & 0o777).toString(8)} ${readFileSync(join(home, name), "utf8")}`,
      ]),
  );
}

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

const done = (): Promise<void> => Promise.resolve();

async function run(
  verb: typeof init | typeof uninstall,
  args: string[],
  parts: InitParts & { isTerminal?: boolean; env?: Record<string, string>; nowMs?: number } = {},
): Promise<Run> {
  const env = { HOME: home, PATH: "", ...parts.env };
  const result: Run = { code: -1, stdout: "", stderr: "" };
  const io = commandIo(home, {
    stdout: (text: string) => void (result.stdout += text),
    stderr: (text: string) => void (result.stderr += text),
    env,
    isTerminal: parts.isTerminal ?? false,
    clock: { ...systemClock, now: () => parts.nowMs ?? Date.UTC(2026, 10, 21, 12) },
    platform: "linux",
  });
  try {
    result.code = await verb(args, io, { installation, addChannel: done, sendTest: done, ...parts });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    result.code = error.exitCode;
    result.stderr += `${error.message}\n${error.hint ?? ""}\n`;
  }
  return result;
}

/** `picks` answers whether to write; `yes` everything else. */
const answers = (
  chosen: string[] | undefined,
  yes: boolean | undefined,
  picks: string[] = [yes === true ? "yes" : "no"],
): { ask: Ask; asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    ask: {
      choose: (question, options) => {
        asked.push(`${question} ${options.map(({ value }) => value).join(",")}`);
        return Promise.resolve(chosen);
      },
      confirm: (question) => {
        asked.push(question);
        return Promise.resolve(yes);
      },
      pick: (question) => {
        asked.push(question);
        return Promise.resolve(picks.shift());
      },
    },
  };
};

describe("init", () => {
  it("shows a plug-in of its own with --dry-run", async () => {
    mkdirSync(join(home, ".config/opencode"), { recursive: true });
    const path = join(home, ".config/opencode/plugins/hookbell.js");
    const dry = await run(init, ["--dry-run"]);
    expect(dry.stdout).toContain(`+++ ${path}\n`);
    expect(dry.stdout).toContain("+export const Hookbell");
    expect(dry.stdout).not.toContain("…");
    const { stdout } = await run(init, ["--yes", "--verbose"]);
    expect(stdout).toMatch(/^opencode: adds hookbell.js, which is hookbell's own; changes nothing of yours\n/);
    expect(stdout).not.toContain("export const Hookbell");
    // In the words that rules are written in, not in the plug-in's twelve.
    const events = "Stop, SubagentStop, StopFailure, Notification, UserPromptSubmit, SessionEnd";
    expect(stdout).toContain(`  events: ${events}; no rule uses SessionStart (--all-events adds all)\n`);
  });

  it("cuts no line of a dry run", async () => {
    put(".claude/settings.json", `{"env":{"X":"${"x".repeat(300)}"}}`);
    expect((await run(init, ["--dry-run"])).stdout).toContain("x".repeat(300));
    expect((await run(init, ["--yes"])).stdout).not.toContain("x".repeat(300));
  });

  it("says of a comma too many once where it stands", async () => {
    put(".claude/settings.json", '{\n  "model": "x",\n}\n');
    const { stderr } = await run(init, ["--yes"]);
    expect(stderr.match(/a comma before the closing bracket/g)).toHaveLength(1);
  });

  it("says when the built-in rules can reach no one here", async () => {
    put(".claude/settings.json", "{}");
    const advice =
      "This machine has no notification daemon and no sound player.\nNext steps:\n- add your phone: hookbell channels add\n";
    expect((await run(init, ["--yes"])).stdout).toContain(advice);
    expect((await run(init, ["--yes"])).stdout).not.toContain(advice);
    // A copy of the built-in rules would reach no one here either.
    const { stdout } = await run(init, ["--yes", "--rules"]);
    expect(stdout).toContain(advice);
    expect(stdout).toMatch(/^no rules file was written: .*: hookbell channels add TYPE$/m);
    expect(existsSync(join(home, ".config/hookbell/rules.jsonc"))).toBe(false);
    put(".config/hookbell/rules.jsonc", '{"channels":{"a":{"type":"desktop"}},"rules":[]}');
    expect((await run(init, ["--dry-run"])).stdout).not.toContain(advice);
  });

  it("repeats no note where there is nothing to decide", async () => {
    put(".claude/settings.json", '{ "disableAllHooks": true }');
    expect((await run(init, ["--yes"])).stderr).toContain("note: ");
    const again = await run(init, ["--yes"]);
    expect(again).toMatchObject({
      stderr: "",
      stdout: "Claude Code: nothing to change (1 note: --dry-run shows it)\n",
    });
    expect((await run(init, ["--dry-run"])).stderr).toContain("note: ");
  });

  it("sets up what it finds, once, and uninstall leaves no trace (posix)", async () => {
    put(".claude/settings.json", '{\r\n\t"model": "x"\r\n}', 0o600);
    put(".factory/settings.json", '{ // mine\n  "hooks": { "Stop": [] }\n}\n', 0o640);
    const before = snapshot();
    const first = await run(init, ["--yes"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("restart Droid");
    expect(first.stdout).toContain("Next steps:\n- add your phone: hookbell channels add\n");
    const installed = snapshot();
    expect(installed[".claude/settings.json"]).toMatch(/^600 /);
    expect(installed[".factory/settings.json"]).toMatch(/^640 /);
    expect(installed[".factory/settings.json"]).toContain("--agent droid");

    const second = await run(init, ["--yes"]);
    expect(second).toMatchObject({
      code: 0,
      stdout: "Droid: nothing to change\nClaude Code: nothing to change\n",
      stderr: "",
    });
    expect(snapshot()).toEqual(installed);

    const end = await run(uninstall, ["--yes"]);
    expect(end.code).toBe(0);
    expect(end.stdout).toMatch(/^after restarting .*Droid.*, to delete all of it: rm -r \S+ \S+\n$/m);
    expect(snapshot()).toEqual(before);
    expect((await run(uninstall, ["--yes"])).stdout).toBe("no hooks of hookbell found; nothing to change\n");
  });

  it("sets up calls of tools with --usage, keeps them afterwards, and uninstall takes them out", async () => {
    const rule = { name: "end", when: { event: "SessionEnd" }, notify: ["a"] };
    put(".config/hookbell/rules.jsonc", JSON.stringify({ channels: { a: { type: "desktop" } }, rules: [rule] }));
    const settings = put(".claude/settings.json", "{}");
    const events = (): string[] =>
      Object.keys((JSON.parse(readFileSync(settings, "utf8")) as { hooks?: object }).hooks ?? {});
    const counted = ["PostToolUse", "PostToolUseFailure"];
    expect(await run(init, ["--agent", "claude-code", "--yes", "--all-events"])).toMatchObject({ code: 0 });
    expect(events().filter((event) => counted.includes(event))).toEqual([]);
    expect(await run(init, ["--agent", "claude-code", "--yes", "--usage"])).toMatchObject({ code: 0 });
    expect(events()).toEqual(expect.arrayContaining([...counted, "Stop", "UserPromptSubmit"]));
    const before = snapshot();
    expect(await run(init, ["--agent", "claude-code", "--yes"])).toMatchObject({ code: 0 });
    expect(snapshot()).toEqual(before);
    expect(await run(uninstall, ["--yes"])).toMatchObject({ code: 0 });
    expect(readFileSync(settings, "utf8")).toBe("{}");
  });

  const ended = ["PostToolUse", "PostToolUseFailure", "Stop", "StopFailure"];
  it.each([
    ["a question", {}, { when: { event: "PermissionRequest" } }, ["PermissionRequest", ...ended]],
    ["an escalation", {}, { when: { event: "SessionEnd" }, escalate: [{ after: "2m", notify: ["a"] }] }, ended],
    ["a stuck turn", { stuckAfter: "15m" }, { when: { event: "Stuck" } }, ["Notification", ...ended]],
    ["a limit's reset", {}, { when: { event: "LimitReset" } }, ["StopFailure"]],
    ["an end of a session, which needs none of them", {}, { when: { event: "SessionEnd" } }, []],
  ])("sets up what tells of answers and ends where a rule waits for %s", async (_what, more, rule, expected) => {
    const rules = [{ name: "own", notify: ["a"], ...rule }];
    put(".config/hookbell/rules.jsonc", JSON.stringify({ channels: { a: { type: "desktop" } }, rules, ...more }));
    const settings = put(".claude/settings.json", "{}");
    expect(await run(init, ["--agent", "claude-code", "--yes"])).toMatchObject({ code: 0 });
    const { hooks } = JSON.parse(readFileSync(settings, "utf8")) as { hooks: object };
    const supporting = ["SessionEnd", "UserPromptSubmit"];
    expect(Object.keys(hooks).toSorted()).toEqual(expect.arrayContaining([...expected, ...supporting].toSorted()));
    if (expected.length === 0) expect(Object.keys(hooks).toSorted()).toEqual(supporting);
  });

  it("makes file and folder for an agent that is named, and takes both away again", async () => {
    expect((await run(init, ["--agent", "claude-code,droid", "--yes"])).code).toBe(0);
    expect(Object.keys(snapshot())).toEqual([".claude/settings.json", ".factory/hooks.json"]);
    if (process.platform !== "win32") expect(statSync(join(home, ".claude")).mode & 0o777).toBe(0o700);
    expect((await run(uninstall, ["--yes"])).code).toBe(0);
    expect(readdirSync(home)).toEqual([".local"]);
  });

  it("finds an agent by its program alone (posix)", async () => {
    put("bin/claude", "#!/bin/sh\n", 0o755);
    expect((await run(init, ["--yes"], { env: { PATH: join(home, "bin") } })).code).toBe(0);
    expect(existsSync(join(home, ".claude/settings.json"))).toBe(true);
    expect(existsSync(join(home, ".factory"))).toBe(false);
  });

  it("goes where the agents' own variables point", async () => {
    mkdirSync(join(home, "c"));
    const env = { CLAUDE_CONFIG_DIR: join(home, "c"), FACTORY_HOME_OVERRIDE: join(home, "f") };
    expect((await run(init, ["--agent=droid", "--agent=claude-code", "--yes"], { env })).code).toBe(0);
    expect(Object.keys(snapshot())).toEqual(["c/settings.json", "f/.factory/hooks.json"]);
  });

  it("says which agents there are when it finds none", async () => {
    const result = await run(init, ["--yes"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/no coding agent was found.*\n.*droid, claude-code.*--agent/);
  });

  it.each([
    [["--agent", "drod"], /did you mean droid\?/],
    [["--agent", ","], /--agent needs a name/],
    [["--yess"], /did you mean "?--yes"?\?/],
    [["droid"], /--agent/],
  ])("refuses %j as usage", async (args, message) => {
    const result = await run(init, args);
    expect(result.code).toBe(64);
    expect(result.stderr).toMatch(message);
  });

  it("shows the change and writes nothing without --yes or with --dry-run", async () => {
    put(".claude/settings.json", "{}\n");
    const before = snapshot();
    const unasked = await run(init, []);
    expect(unasked.code).toBe(64);
    expect(unasked.stderr).toContain("add --yes");
    expect(unasked.stdout).toContain('+            "command": ');
    const dry = await run(init, ["--dry-run"]);
    expect(dry.code).toBe(0);
    expect(dry.stdout).toMatch(
      /^Claude Code: adds \d hooks to settings.json; changes nothing of yours\n--- .*\n\+\+\+ /,
    );
    expect(dry.stdout).toContain("dry run");
    expect(snapshot()).toEqual(before);
    expect(readdirSync(home)).toEqual([".claude"]);
  });

  it("asks a person which agents and whether to write", async () => {
    put(".claude/settings.json", "{}\n");
    put(".factory/settings.json", "{}\n");
    const before = snapshot();
    const refusing = answers(["droid"], false);
    expect((await run(init, [], { isTerminal: true, ask: refusing.ask })).code).toBe(1);
    expect(refusing.asked).toEqual([expect.stringContaining("droid,claude-code"), "Write this change?"]);
    expect((await run(init, [], { isTerminal: true, ask: answers(undefined, true).ask })).code).toBe(1);
    expect(snapshot()).toEqual(before);
    expect((await run(init, [], { isTerminal: true, ask: answers(["droid"], true).ask })).code).toBe(0);
    expect(readFileSync(join(home, ".factory/hooks.json"), "utf8")).toContain('"PreToolUse"');
    expect((await run(uninstall, [], { isTerminal: true, ask: answers([], false).ask })).code).toBe(1);
    expect((await run(uninstall, [], { isTerminal: true, ask: answers([], true).ask })).code).toBe(0);
    expect(snapshot()).toEqual(before);
  });

  it("shows the exact changes only to a person who asks for them", async () => {
    put(".claude/settings.json", "{}\n");
    const summary = /^Claude Code: adds \d hooks to settings.json; changes nothing of yours\n/;
    const { ask, asked } = answers(["claude-code"], false, ["diff", "no"]);
    const { code, stdout } = await run(init, [], { isTerminal: true, ask });
    expect(code).toBe(1);
    expect(stdout).toMatch(summary);
    expect(stdout).toContain('+            "command": ');
    expect(asked.slice(1)).toEqual(["Write this change?", "Write this change?"]);
    const done = await run(init, ["--yes"]);
    expect(done.stdout).toMatch(summary);
    expect(done.stdout).not.toContain('"command": ');
  });

  it("goes on to add a channel where nothing here can reach a person at the terminal", async () => {
    put(".claude/settings.json", "{}\n");
    let added = 0;
    const addChannel = (): Promise<unknown> => Promise.resolve((added += 1));
    const { ask, asked } = answers(["claude-code"], true);
    expect((await run(init, [], { isTerminal: true, ask, addChannel })).code).toBe(0);
    expect(asked.at(-1)).toMatch(/^This machine has no notification daemon and no sound player\. Add a channel/);
    expect(added).toBe(1);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("offers a person a first notification, once: they say %s", async (isWanted, times) => {
    put(".claude/settings.json", "{}\n");
    put(
      ".config/hookbell/rules.jsonc",
      '{ "channels": { "a": { "type": "desktop" } }, "rules": [{ "notify": ["a"] }] }',
      0o600,
    );
    let sent = 0;
    const sendTest = (): Promise<unknown> => Promise.resolve((sent += 1));
    const first = answers(["claude-code"], isWanted, ["yes"]);
    const { stdout } = await run(init, [], { isTerminal: true, ask: first.ask, sendTest });
    expect(first.asked.at(-1)).toBe("Send a first notification now?");
    expect(stdout.includes("try it: hookbell test")).toBe(!isWanted);
    expect(sent).toBe(times);
    const again = answers(["claude-code"], isWanted, ["yes"]);
    await run(init, [], { isTerminal: true, ask: again.ask, sendTest });
    expect(again.asked).not.toContain("Send a first notification now?");
    expect(sent).toBe(times);
  });

  it("offers no test message to channels that others read", async () => {
    put(".claude/settings.json", "{}\n");
    const team = '"team": { "type": "slack", "url": "https://hooks.slack.com/services/T0/B0/x" }';
    const group = '"group": { "type": "telegram", "token": "1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "chat": -100 }';
    const me = '"me": { "type": "telegram", "token": "1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "chat": 7 }';
    const write = (channels: string): string =>
      put(".config/hookbell/rules.jsonc", `{ "channels": { ${channels} }, "rules": [{ "notify": ["team"] }] }`, 0o600);
    const sent: string[][] = [];
    const sendTest = (channels: string[]): Promise<unknown> => Promise.resolve(sent.push(channels));
    write([team, group, me].join(", "));
    const first = answers(["claude-code"], true, ["yes"]);
    await run(init, [], { isTerminal: true, ask: first.ask, sendTest });
    expect(first.asked.at(-1)).toBe("Send a first notification to me (not to team, group, which others read) now?");
    expect(sent).toEqual([["me"]]);
    put(".claude/settings.json", "{}\n");
    write(team);
    const later = answers(["claude-code"], true, ["yes"]);
    const { stdout } = await run(init, [], { isTerminal: true, ask: later.ask, sendTest });
    expect(later.asked.join(" ")).not.toContain("first notification");
    expect(stdout).toMatch(/^Next steps:\n- try it: hookbell init --verify claude-code\n/m);
    expect(sent).toHaveLength(1);
  });

  it("prints JSON", async () => {
    put(".claude/settings.json", "{}\n");
    put(".factory/hooks.json", "{ 1 }");
    const result = await run(init, ["--yes", "--json"]);
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      agents: [
        {
          id: "droid",
          outcome: "refused",
          problems: [{ path: join(home, ".factory/hooks.json"), line: 1, column: 3 }],
        },
        { id: "claude-code", outcome: "changed", files: [{ path: join(home, ".claude/settings.json") }], problems: [] },
      ],
    });
    expect(JSON.parse((await run(init, ["--agent=claude-code", "--json"])).stdout)).toMatchObject({
      agents: [{ outcome: "unchanged" }],
    });
  });

  it("writes a rules file only when told to", async () => {
    put(".claude/settings.json", "{}\n");
    await run(init, ["--yes"]);
    expect(existsSync(join(home, ".config"))).toBe(false);
  });
});

describe("the script that hooks call", () => {
  const withScript = (): InitParts => ({
    installation: { ...installation, scriptPath: join(home, ".local/state/hookbell/hookbell-hook.sh") },
  });
  const script = (): string => join(home, ".local/state/hookbell/hookbell-hook.sh");

  it("is written before the settings, anew when Node has moved, and goes with the last hook (posix)", async () => {
    put(".claude/settings.json", "{}\n");
    put(".factory/settings.json", "{}\n");
    const first = await run(init, ["--yes"], withScript());
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(`wrote ${script()}`);
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain(`"${script()} --agent claude-code"`);
    expect(statSync(script()).mode & 0o777).toBe(0o700);
    expect(readFileSync(script(), "utf8")).toContain("\nnode='/usr/bin/node'\n");
    const installed = snapshot();

    const again = await run(init, ["--yes"], withScript());
    expect(again.stdout).toBe("Droid: nothing to change\nClaude Code: nothing to change\n");
    const moved = withScript();
    Object.assign(moved.installation ?? {}, { nodePath: "/it's here/node" });
    expect((await run(init, ["--dry-run"], moved)).stdout).toContain(script());
    expect(readFileSync(script(), "utf8")).toContain("\nnode='/usr/bin/node'\n");
    expect((await run(init, [], moved)).code).toBe(64);
    expect((await run(init, ["--yes"], moved)).stdout).toContain(`wrote ${script()}`);
    expect(readFileSync(script(), "utf8")).toContain("\nnode='/it'\\''s here/node'\n");
    // What the agents have need not change, so none asks for trust again.
    expect(snapshot()).toEqual(installed);

    await run(uninstall, ["--yes", "--agent", "droid"], withScript());
    expect(existsSync(script())).toBe(true);
    const last = await run(uninstall, ["--yes"], withScript());
    expect(last.stdout).toContain(`removed ${script()}`);
    expect(existsSync(script())).toBe(false);
  });

  it("takes the place of the Node form, and never stands beside it", async () => {
    put(".claude/settings.json", "{}\n");
    await run(init, ["--yes"]);
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain("hook.cjs");
    expect((await run(init, ["--yes"], withScript())).code).toBe(0);
    const text = readFileSync(join(home, ".claude/settings.json"), "utf8");
    expect(text).not.toContain("hook.cjs");
    expect(text.match(/hookbell-hook\.sh/g)).toHaveLength(8);
    await run(uninstall, ["--yes"], withScript());
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}\n");
  });

  it("is not written for an agent that is refused", async () => {
    put(".claude/settings.json", "[]");
    expect((await run(init, ["--yes"], withScript())).code).toBe(65);
    expect(existsSync(script())).toBe(false);
  });

  it("refuses with a line where it cannot be written", async () => {
    put(".claude/settings.json", "{}\n");
    put(".local", "a file");
    const result = await run(init, ["--yes"], withScript());
    expect(result.code).toBe(73);
    expect(result.stderr).toContain(`cannot write ${script()}`);
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}\n");
  });
});

describe("what init leaves alone", () => {
  it("sets up the others when one agent's file is broken, and says so", async () => {
    put(".claude/settings.json", "{}\n");
    put(".factory/hooks.json", '{\n  "Stop": [],\n}');
    const result = await run(init, ["--yes"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`${join(home, ".factory/hooks.json")}:3:1: a comma before the closing bracket`);
    expect(result.stderr).toContain("Droid: not changed");
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain("hook.cjs");
    expect(readFileSync(join(home, ".factory/hooks.json"), "utf8")).toBe('{\n  "Stop": [],\n}');
  });

  it("says of a file that cannot be written what can be done: hooks in, or hooks out", async () => {
    const path = put(".claude/settings.json", "{}\n", 0o444);
    expect((await run(init, ["--yes"])).stderr).toContain("or add the hooks by hand");
    chmodSync(path, 0o644);
    await run(init, ["--yes"]);
    chmodSync(path, 0o444);
    const { stderr } = await run(uninstall, ["--yes"]);
    expect(stderr).toContain("or remove the hooks that call hookbell by hand");
    expect(stderr).not.toContain("add the hooks");
  });

  it("shows the problems of all agents at once", async () => {
    put(".claude/settings.json", "[]");
    put(".factory/hooks.json", "{");
    put(".factory/settings.json", '{"hooks": 1}');
    const result = await run(init, ["--yes"]);
    expect(result.code).toBe(65);
    expect(result.stderr.match(/settings\.json:|hooks\.json:/g)).toHaveLength(3);
  });

  const refusals: [name: string, make: () => void, message: RegExp, code: number][] = [
    ["a read-only file", () => void put(".claude/settings.json", "{}", 0o444), /read-only/, 73],
    [
      "a read-only folder (posix)",
      () => (put(".claude/settings.json", "{}"), chmodSync(join(home, ".claude"), 0o555)),
      /cannot be written/,
      73,
    ],
    [
      "a read-only folder without the file (posix)",
      () => (mkdirSync(join(home, ".claude")), chmodSync(join(home, ".claude"), 0o555)),
      /cannot be written/,
      73,
    ],
    [
      "a folder in place of the file",
      () => void mkdirSync(join(home, ".claude/settings.json"), { recursive: true }),
      /not a file/,
      73,
    ],
    ["a file in place of the folder", () => void put(".claude", ""), /\.claude is not a folder|cannot be read/, 73],
    [
      "a link to nothing (posix)",
      () => (mkdirSync(join(home, ".claude")), symlinkSync("/nowhere/s.json", join(home, ".claude/settings.json"))),
      /a link to \/nowhere\/s\.json/,
      73,
    ],
    [
      "a link to itself (posix)",
      () => (mkdirSync(join(home, ".claude")), symlinkSync("settings.json", join(home, ".claude/settings.json"))),
      /links that point to each other \(ELOOP\)\n {2}remove one of these links/,
      73,
    ],
    [
      "more than 10 MB",
      () => void put(".claude/settings.json", `{"a":"${"x".repeat(10 * 1024 * 1024)}"}`),
      /too large/,
      65,
    ],
  ];
  it.each(refusals)("refuses %s", async (_name, make, message, code) => {
    make();
    const result = await run(init, ["--agent=claude-code", "--yes"]);
    expect(result.stderr).toMatch(message);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe("");
    expect(existsSync(join(home, ".local"))).toBe(false);
  });

  it("needs no permission for a file that stays as it is", async () => {
    put(".factory/settings.json", '{"model": "x"}', 0o444);
    put(".factory/hooks.json", '{"Stop": []}');
    expect((await run(init, ["--yes"])).code).toBe(0);
    expect(readFileSync(join(home, ".factory/hooks.json"), "utf8")).toContain("--agent droid");
  });

  it.runIf(process.getuid?.() === 0)("keeps a file's owner when the superuser runs it", async () => {
    const path = put(".claude/settings.json", "{}\n");
    spawnSync("chown", ["12345:12346", path]);
    expect((await run(init, ["--yes"])).code).toBe(0);
    expect(statSync(path)).toMatchObject({ uid: 12345, gid: 12346 });
  });

  it.runIf(process.getuid?.() === 0)("refuses the superuser in another user's home, and only there", async () => {
    const path = put(".claude/settings.json", "{}\n");
    spawnSync("chown", ["-R", "12345:12346", home]);
    const env = { SUDO_UID: "12345" };
    for (const verb of [init, uninstall]) {
      const refused = await run(verb, ["--yes"], { env });
      expect(refused).toMatchObject({ code: 73, stdout: "" });
      expect(refused.stderr).toContain("without sudo");
    }
    expect(readFileSync(path, "utf8")).toBe("{}\n");
    expect(readdirSync(home)).toEqual([".claude"]);
    // With `su`, nothing names the user.
    const refused = await run(init, ["--yes"], { env: { SUDO_UID: "54321" } });
    expect(refused.code).toBe(73);
    expect(refused.stderr).toContain(`you are the superuser, but ${home} belongs to the user 12345\n`);
    spawnSync("chown", ["-R", "0:0", home]);
    expect((await run(init, ["--yes"], { env: { SUDO_UID: "12345" } })).code).toBe(0);
  });

  it("follows links and keeps them (posix)", async () => {
    const target = put("dotfiles/claude.json", '{"a":1}', 0o640);
    mkdirSync(join(home, ".claude"));
    const link = join(home, ".claude/settings.json");
    symlinkSync("../dotfiles/claude.json", link);
    await run(init, ["--yes"]);
    expect(readlinkSync(link)).toBe("../dotfiles/claude.json");
    expect(readFileSync(target, "utf8")).toContain("hook.cjs");
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(home, "dotfiles"))).toEqual(["claude.json"]);
    await run(uninstall, ["--yes"]);
    expect(readFileSync(target, "utf8")).toBe('{"a":1}');
    expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
  });

  it("says so when other hard links keep the old content", async () => {
    linkSync(put(".claude/settings.json", "{}"), join(home, "other.json"));
    expect((await run(init, ["--yes"])).stderr).toContain("hard links");
  });
});

describe("backups", () => {
  const backups = (): string[] => readdirSync(join(home, ".claude")).filter((name) => name.includes("backup"));

  it("keep the last five and the first original, readable by the owner alone (posix)", async () => {
    const path = put(".claude/settings.json", '{"first": true}');
    for (let round = 0; round < 8; round += 1) {
      const moved = { ...installation, hookPath: `/opt/v${round}/node_modules/hookbell/dist/hook.cjs` };
      expect((await run(init, ["--yes"], { installation: moved, nowMs: Date.UTC(2026, 0, 1) })).code).toBe(0);
    }
    expect(backups()).toHaveLength(6);
    for (const name of backups()) expect(statSync(join(home, ".claude", name)).mode & 0o777).toBe(0o600);
    await run(uninstall, ["--yes"]);
    expect(readFileSync(path, "utf8")).toBe('{"first": true}');
  });

  it("are made by uninstall when the file was edited since", async () => {
    const path = put(".claude/settings.json", '{"first": true}');
    await run(init, ["--yes"]);
    const edited = readFileSync(path, "utf8").replace("true", "false");
    writeFileSync(path, edited);
    await run(uninstall, ["--yes"]);
    expect(readFileSync(path, "utf8")).toBe('{"first": false}');
    expect(backups().map((name) => readFileSync(join(home, ".claude", name), "utf8"))).toContain(edited);
  });

  it("are made of a file that was not there before init, which goes with the last hook, no matter who edited it since", async () => {
    mkdirSync(join(home, ".factory"));
    const path = join(home, ".factory/hooks.json");
    const later = { ...installation, hookPath: "/opt/v2/node_modules/hookbell/dist/hook.cjs" };
    await run(init, ["--yes"]);
    writeFileSync(path, `${readFileSync(path, "utf8")}\n`);
    await run(init, ["--yes"], { installation: later });
    await run(init, ["--yes"]);
    await run(uninstall, ["--yes"]);
    expect(existsSync(path)).toBe(false);

    await run(init, ["--yes"]);
    const own = { hooks: [{ type: "command", command: "mine" }] };
    const hooks = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...hooks, PreCompact: [own] }));
    await run(init, ["--yes"], { installation: later });
    await run(uninstall, ["--yes"]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ PreCompact: [own] });
  });

  it("that hold our hooks go with them, however often init wrote; what waits is mentioned", async () => {
    const path = put(".claude/settings.json", '{"first": true}');
    for (const round of [1, 2, 3]) {
      const moved = { ...installation, hookPath: `/opt/v${round}/node_modules/hookbell/dist/hook.cjs` };
      await run(init, ["--yes"], { installation: moved, nowMs: Date.UTC(2026, 0, round) });
    }
    const foreign = put(".claude/settings.json.hookbell-backup-2025-01-01T00-00-00.000Z", '{"older": true}');
    expect((await run(uninstall, ["--yes"])).stdout).not.toContain("dispatch --until-idle");
    expect(readFileSync(path, "utf8")).toBe('{"first": true}');
    expect(backups().map((name) => join(home, ".claude", name))).toEqual([foreign]);
    put(".local/state/hookbell/incoming/a.-.-.json", "{}");
    expect((await run(uninstall, ["--yes"])).stdout).toMatch(
      /^1 message not delivered yet\..* dispatch --until-idle$/m,
    );
  });

  it("are not needed: without them and without the record uninstall takes out what it recognises", async () => {
    const path = put(".claude/settings.json", '{\n  "first": true\n}\n');
    await run(init, ["--yes"]);
    for (const name of backups()) rmSync(join(home, ".claude", name));
    rmSync(join(home, ".local"), { recursive: true });
    expect((await run(uninstall, ["--yes"])).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe('{\n  "first": true\n}\n');
  });

  it("that were tampered with are not given back", async () => {
    const path = put(".claude/settings.json", '{"first": true}');
    await run(init, ["--yes"]);
    for (const name of backups()) writeFileSync(join(home, ".claude", name), '{"evil": true}');
    await run(uninstall, ["--yes"]);
    expect(readFileSync(path, "utf8")).toBe('{"first": true}');
  });
});

describe("an installation that moved", () => {
  it("replaces its old entries, even from a folder of another name", async () => {
    put(".claude/settings.json", "{}\n");
    await run(init, ["--yes"], {
      installation: { nodePath: "/usr/bin/node", hookPath: "/home/you/hookbell/dist/hook.cjs" },
    });
    await run(init, ["--yes"]);
    const text = readFileSync(join(home, ".claude/settings.json"), "utf8");
    expect(text).not.toContain("/home/you/hookbell");
    expect(text.match(/hook\.cjs/g)).toHaveLength(8);
  });
});

describe("someone else writing at the same time", () => {
  const context = (): InstallContext => ({
    installation,
    platform: "linux",
    nowMs: 0,
    store: recordStore(join(home, ".local")),
  });
  const claude = () => {
    const target = listTargets({ HOME: home }, home, "linux").find(({ id }) => id === "claude-code");
    if (target === undefined) throw new Error("no claude-code");
    return target;
  };

  it("is noticed right before the rename, and theirs stays", () => {
    const path = put(".claude/settings.json", "{}");
    const opened = openSettingsFile(path, 1000);
    if ("unusable" in opened) throw new Error(opened.unusable);
    writeFileSync(path, '{"theirs": 1}');
    expect(replaceSettingsFile(opened, Buffer.from("ours"))).toBe(false);
    expect(readFileSync(path, "utf8")).toBe('{"theirs": 1}');
    expect(readdirSync(dirname(path))).toEqual(["settings.json"]);
  });

  it("is not overwritten by a file that was not there when we looked", () => {
    const path = join(home, "s.json");
    const opened = openSettingsFile(path, 1000);
    if ("unusable" in opened) throw new Error(opened.unusable);
    writeFileSync(path, "theirs");
    expect(replaceSettingsFile(opened, Buffer.from("ours"))).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("theirs");
  });

  it("is taken into account: the plan is made anew from what is there now", () => {
    const path = put(".claude/settings.json", "{}");
    const prepared = prepareInstall(context(), claude());
    writeFileSync(path, '{"theirs": 1}');
    expect(applyInstall(context(), prepared).problems).toEqual([]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ theirs: 1, hooks: { Stop: [{}] } });
  });

  it("that broke the file meanwhile is reported, not overwritten", () => {
    const path = put(".claude/settings.json", "{}");
    const prepared = prepareInstall(context(), claude());
    writeFileSync(path, "{ half");
    expect(applyInstall(context(), prepared).problems[0]?.message).toContain("not JSON");
    expect(readFileSync(path, "utf8")).toBe("{ half");
  });

  it("all the time ends in a sound file that holds both", async () => {
    const path = put(".claude/settings.json", '{"n": 0}\n');
    // Another program that rewrites the file whole, as agents do, and never loses what it read.
    const script = `const fs=require("node:fs");const p=process.argv[1];let n=0;setInterval(()=>{try{const s=JSON.parse(fs.readFileSync(p,"utf8"));s.n=++n;fs.writeFileSync(p+".x",JSON.stringify(s,null,2));fs.renameSync(p+".x",p)}catch{}},5)`;
    const other = spawn(process.execPath, ["-e", script, path], { stdio: "ignore" });
    try {
      for (let round = 0; round < 10; round += 1) await run(init, ["--yes"], { nowMs: Date.now() });
    } finally {
      other.kill("SIGKILL");
      await new Promise((resolve) => other.once("exit", resolve));
    }
    await run(init, ["--yes"]);
    const settings = JSON.parse(readFileSync(path, "utf8")) as { n: number; hooks: Record<string, unknown[]> };
    expect(settings.hooks.Stop).toHaveLength(1);
    expect(settings.n).toBeGreaterThanOrEqual(0);
  });
});

describe("the built program", () => {
  const cli = join(import.meta.dirname, "../../../dist/cli.js");
  const hookbell = (...args: string[]) =>
    spawnSync(process.execPath, [cli, ...args], {
      encoding: "utf8",
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      cwd: home,
      input: "",
    });

  it("sets up, is quiet the second time, runs as it is set up, and goes (posix)", () => {
    put(".factory/settings.json", "{}\n");
    put(".claude/settings.json", '{\n    "model": "x"\n}\n');
    const before = snapshot();
    const refused = hookbell("init");
    expect(refused.stderr).toContain("add --yes");
    expect(refused.status).toBe(64);
    expect(hookbell("init", "--yes")).toMatchObject({ status: 0, stderr: "" });
    const installed = snapshot();
    expect(hookbell("init", "--yes").stdout).toContain("nothing to change");
    expect(snapshot()).toEqual(installed);

    const settings = JSON.parse(readFileSync(join(home, ".claude/settings.json"), "utf8")) as {
      hooks: { Stop: [{ hooks: [{ command: string }] }] };
    };
    const { command } = settings.hooks.Stop[0].hooks[0];
    const payload = JSON.stringify({ hook_event_name: "Stop", session_id: "s", cwd: home });
    const env = { HOME: home, PATH: "/usr/bin:/bin", HOOKBELL_DISABLE: "1" };
    expect(spawnSync("sh", ["-c", command], { encoding: "utf8", input: payload, env })).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    });

    expect(hookbell("uninstall", "--yes")).toMatchObject({ status: 0, stderr: "" });
    expect(snapshot()).toEqual(before);
  });
});
