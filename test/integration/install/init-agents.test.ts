// init and uninstall of every agent over real files in a temporary home: shapes, folders, refusals, someone else writing.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { HookSetup } from "../../../src/agents/hook-setup.ts";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import { init } from "../../../src/commands/init/init.ts";
import { uninstall } from "../../../src/commands/init/uninstall.ts";
import { listTargets, type AgentTarget } from "../../../src/install/target/agent-target.ts";
import { applyUninstall, prepareUninstall } from "../../../src/install/uninstall-agent.ts";
import { applyInstall, prepareInstall, type InstallContext } from "../../../src/install/install-agent.ts";
import { homeWithHooks } from "../../support/project/home-with-hooks.ts";
import { recordStore } from "../../../src/install/record/record.ts";

const installation = { nodePath: "/usr/bin/node", hookPath: "/opt/lib/node_modules/hookbell/dist/hook.cjs" };
const setUp = Object.entries<HookSetup>(hookSetups);
const untried = setUp.flatMap(([id, { isUntried }]) => (isUntried === true ? [id] : []));
const tried = setUp.flatMap(([id, { isUntried }]) => (isUntried === true ? [] : [id]));
const { path: pathOf, put, get, names, run: runIn, io, examine } = homeWithHooks();
let home = "";

beforeEach(() => {
  home = pathOf();
});

const run = (
  verb: typeof init | typeof uninstall,
  args: string[],
  env: Record<string, string> = {},
  from = installation,
) => runIn(verb, args, { env, installation: from });

/** What tells that each agent is here, and for those with a line of their own, a file as people have it. */
function putSettings(): void {
  for (const { folders } of Object.values<HookSetup>(hookSetups)) {
    const [{ path: folder, sign }] = folders;
    mkdirSync(join(home, sign?.path ?? folder), { recursive: true });
  }
  put(".claude/settings.json", '{\n\t"model": "x"\n}\n');
  put(".factory/settings.json", "{}\n");
  put(".codex/config.toml", 'model = "x"\n');
  put(".codex/hooks.json", '{\r\n  "hooks": {}\r\n}\r\n');
  put(".gemini/settings.json", '{ // mine\n  "theme": "x"\n}\n');
  put(".qwen/settings.json", '{"a":1}');
  put(".cursor/hooks.json", '{\n    "version": 1,\n    "hooks": { "stop": [{ "command": "say" }] }\n}');
  put(".copilot/hooks/mine.json", '{"version":1,"hooks":{}}');
  put(".config/opencode/plugins/other.js", "export {};\n");
  put(".codeium/windsurf/hooks.json", '{"hooks":{"post_cascade_response":[]}}\n');
  put(".cline/hooks/TaskCancel", "#!/bin/sh\n", 0o755);
  put(".config/goose/config.yaml", "a: 1\n");
  put(".kiro/agents/dev.json", '{"name":"dev"}\n');
  put(".aws/amazonq/cli-agents/q.json", '{"name":"q"}\n');
}

describe("every agent at once", () => {
  it("is shown as it will be, to the last word", async () => {
    putSettings();
    expect((await run(init, ["--dry-run"])).stdout).not.toContain("[redacted");
  });

  it.each([
    ["found", tried, untried, []],
    ["named, since no one has tried it", untried, tried, ["--agent", untried.join(",")]],
  ])("is %s, installed, the same the second time, and given back", async (_how, here, others, named) => {
    putSettings();
    const files = (): Record<string, string> =>
      Object.fromEntries(
        names()
          .filter((name) => statSync(join(home, name)).isFile())
          .map((name) => [name, `${(statSync(join(home, name)).mode & 0o777).toString(8)} ${get(name)}`]),
      );
    const [before, places] = [files(), names()];
    const first = await run(init, ["--yes", "--all-events", ...named]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const all = Object.values(files()).join("\n");
    const calls = (id: string): boolean => new RegExp(`--agent(?: |",\\s*")${id}\\b`).test(all);
    expect([here.filter((id) => !calls(id)), others.filter(calls)]).toEqual([[], []]);
    const installed = files();
    const second = await run(init, ["--yes", "--all-events", ...named]);
    expect(second.stdout.match(/nothing to change/g)).toHaveLength(here.length);
    expect(files()).toEqual(installed);
    expect((await run(uninstall, ["--yes"])).code).toBe(0);
    expect(files()).toEqual(before);
    expect(names()).toEqual(places);
  });

  const madeForNothing = setUp.filter(([, { missingFiles }]) => missingFiles === undefined);
  it.each(madeForNothing.map(([id]) => id))("leaves no trace of %s that was not here", async (id) => {
    const made = await run(init, ["--yes", "--agent", id]);
    expect(made.code).toBe(0);
    expect(names().length).toBeGreaterThan(1);
    expect((await run(uninstall, ["--yes"])).code).toBe(0);
    expect(names()).toEqual([]);
  });

  const moved: [id: string, env: (home: string) => Record<string, string>, file: string][] = [
    ["droid", (at) => ({ FACTORY_HOME_OVERRIDE: join(at, "f") }), "f/.factory/hooks.json"],
    ["claude-code", (at) => ({ CLAUDE_CONFIG_DIR: join(at, "d") }), "d/settings.json"],
    ["codex", (at) => ({ CODEX_HOME: join(at, "c") }), "c/hooks.json"],
    ["gemini-cli", (at) => ({ GEMINI_CLI_HOME: join(at, "g") }), "g/.gemini/settings.json"],
    ["qwen-code", (at) => ({ QWEN_HOME: join(at, "q") }), "q/settings.json"],
    ["copilot-cli", (at) => ({ COPILOT_HOME: join(at, "p") }), "p/hooks/hookbell.json"],
    ["opencode", (at) => ({ XDG_CONFIG_HOME: join(at, "x") }), "x/opencode/plugins/hookbell.js"],
    ["grok", (at) => ({ GROK_HOME: join(at, "k") }), "k/hooks/hookbell.json"],
    ["muse", (at) => ({ XDG_CONFIG_HOME: join(at, "x") }), "x/muse/settings.json"],
    ["opencode", () => ({ XDG_CONFIG_HOME: "relative" }), ".config/opencode/plugins/hookbell.js"],
  ];
  it.each(moved)("goes where %s's own variable points (%#)", async (id, env, file) => {
    expect((await run(init, ["--yes", "--agent", id], env(home))).code).toBe(0);
    expect(existsSync(join(home, file))).toBe(true);
  });

  it.each(moved)("is found again by uninstall where %s's variable pointed then (%#)", async (id, env, file) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    const before = names();
    await run(init, ["--yes", "--agent", id], env(home));
    expect((await run(uninstall, ["--yes", "--agent", "kiro"])).code).toBe(0);
    expect(existsSync(join(home, file))).toBe(true);
    expect((await run(uninstall, ["--yes", "--agent", id])).stdout).toContain(`removed ${join(home, file)}`);
    expect(names()).toEqual(before);
  });
});

describe("an agent that no one has tried", () => {
  const findings = async (): Promise<string[]> => (await examine()).map(({ status, text }) => `${status}: ${text}`);

  it("is not found, not offered, and nothing that doctor knows of", async () => {
    mkdirSync(join(home, ".qoder"));
    const { stdout, stderr } = await run(init, ["--yes"]);
    expect(stdout + stderr).toContain("no coding agent was found on this machine");
    expect(stdout + stderr).not.toContain("qoder");
    expect(await findings()).toEqual(["warning: no coding agent was found"]);
    mkdirSync(join(home, ".claude"));
    expect((await run(init, ["--yes"])).stdout).not.toContain("Qoder");
    expect(names()).toEqual([".claude", ".claude/settings.json", ".qoder"]);
    expect((await findings()).join()).not.toContain("Qoder");
  });

  it("is written where it is named, says in one line that it is untried, and is examined from then on", async () => {
    put(".qoder/settings.json", '{\n  "theme": "dark"\n}\n');
    const { stdout } = await run(init, ["--yes", "--agent", "qoder"]);
    expect(stdout.match(/^ {2}written from Qoder's documentation and never tried: .+$/gm)).toHaveLength(1);
    expect(JSON.parse(get(".qoder/settings.json"))).toMatchObject({
      theme: "dark",
      hooks: { Stop: [{ hooks: [{ type: "command", timeout: 10 }] }] },
    });
    expect((await findings()).join()).toMatch(/: Qoder: its hooks /);
    put(".qoder/settings.json", "{}\n");
    expect((await findings()).join()).toContain("settings.json no longer contains the hooks that init wrote for");
    await run(uninstall, ["--yes"]);
    expect(await findings()).toEqual(["warning: no coding agent was found"]);
  });

  it("says so with --json, too, and uninstall does not", async () => {
    const warningsOf = ({ stdout }: { stdout: string }): string[] =>
      (JSON.parse(stdout) as { agents: { warnings: string[] }[] }).agents.flatMap(({ warnings }) => warnings);
    expect(warningsOf(await run(init, ["--yes", "--json", "--agent", "letta"]))).toEqual([
      expect.stringContaining("never tried"),
    ]);
    expect(JSON.parse(get(".letta/settings.json"))).toMatchObject({
      hooks: { Stop: [{ hooks: [{ type: "command", timeout: 10_000 }] }] },
    });
    expect(warningsOf(await run(uninstall, ["--yes", "--json"]))).toEqual([]);
  });
});

describe("Cline's two folders", () => {
  it.each([
    [[".cline"], ".cline/hooks"],
    [["Documents/Cline"], "Documents/Cline/Hooks"],
    [[".cline", "Documents/Cline"], ".cline/hooks"],
  ])("of %j: %s (posix)", async (present, chosen) => {
    for (const folder of present) mkdirSync(join(home, folder), { recursive: true });
    expect((await run(init, ["--yes"])).code).toBe(0);
    expect(existsSync(join(home, chosen, "TaskComplete"))).toBe(true);
    expect(statSync(join(home, chosen, "TaskComplete")).mode & 0o777).toBe(0o700);
    // The other one appears later: ours stay where they are, and are not doubled.
    for (const folder of [".cline/hooks", "Documents/Cline/Hooks"]) mkdirSync(join(home, folder), { recursive: true });
    expect((await run(init, ["--yes"])).stdout).toContain("Cline: nothing to change");
    expect((await run(uninstall, ["--yes"])).code).toBe(0);
    expect(names().filter((name) => name.includes("Task"))).toEqual([]);
  });
});

describe("what init says", () => {
  it("names the events, those it left out, and those that never come", async () => {
    put(".cursor/hooks.json", '{"version":1,"hooks":{}}');
    const { stdout } = await run(init, ["--yes", "--verbose"]);
    expect(stdout).toContain(
      "events: stop, sessionEnd; no rule uses subagentStop, sessionStart (--all-events adds all)",
    );
    expect(stdout).toContain("Cursor does not report Notification");
    const again = await run(init, ["--yes", "--all-events", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      agents: [
        {
          id: "cursor",
          outcome: "changed",
          events: { installed: ["stop", "subagentStop", "sessionEnd", "sessionStart"] },
        },
      ],
    });
    // What is set up stays when no rule asks for it any more.
    expect((await run(init, ["--yes"])).stdout).toContain("nothing to change");
  });

  it("follows the rules of the person", async () => {
    const rules = {
      channels: { c: { type: "command", argv: ["true"] } },
      rules: [{ when: { event: "Sub*" }, notify: ["c"] }],
    };
    put(".config/hookbell/rules.jsonc", JSON.stringify(rules));
    const { stdout } = await run(init, ["--dry-run", "--verbose", "--agent", "droid"]);
    const installed = "SubagentStop, SessionEnd, UserPromptSubmit, SessionStart";
    expect(stdout).toContain(`events: ${installed}; no rule uses Notification, PreToolUse, Stop (--all-events`);
  });

  const noises: [id: string, file: string, text: string, said: RegExp | undefined][] = [
    ["droid", ".factory/settings.json", '{"completionSound":"off","awaitingInputSound":"off"}', undefined],
    ["droid", ".factory/settings.json", '{"completionSound":"fx-ok01","awaitingInputSound":"off"}', /when it is done/],
    ["claude-code", ".claude/settings.json", '{"preferredNotifChannel":"notifications_disabled"}', undefined],
    ["claude-code", ".claude/settings.json", '{"preferredNotifChannel":"iterm2"}', /preferredNotifChannel/],
    ["gemini-cli", ".gemini/settings.json", '{"general":{"enableNotifications":true}}', /enableNotifications/],
    ["qwen-code", ".qwen/settings.json", '{"general":{"terminalBell":true}}', /terminalBell/],
    ["codex", ".codex/config.toml", "[tui]\nnotifications = true\n", /notifications = false/],
    ["codex", ".codex/config.toml", "[tui]\nnotifications = false\n", undefined],
    ["codex", ".codex/config.toml", 'notify = ["say"]\n', /the program that "notify" names/],
  ];
  it.each(noises)("mentions the noise that %s makes by itself (%#)", async (id, file, text, said) => {
    put(file, text);
    const { stdout } = await run(init, ["--yes", "--verbose", "--agent", id]);
    if (said === undefined) expect(stdout).not.toMatch(/to stop that/);
    else expect(stdout).toMatch(said);
  });

  const switches: [id: string, file: string, text: string, said: RegExp][] = [
    ["gemini-cli", ".gemini/settings.json", '{"hooksConfig":{"enabled":false}}', /"hooksConfig.enabled" is false/],
    ["qwen-code", ".qwen/settings.json", '{"disableAllHooks":true}', /"disableAllHooks" is true/],
    ["codex", ".codex/config.toml", "[features]\nhooks = false\n", /"features.hooks" is false/],
    ["codex", ".codex/config.toml", "features.codex_hooks = false\n", /"features.codex_hooks" is false/],
  ];
  it.each(switches)("warns of what keeps the hooks of %s from running (%#)", async (id, file, text, said) => {
    put(file, text);
    const { stderr, code } = await run(init, ["--yes", "--agent", id]);
    expect(stderr).toMatch(said);
    expect(code).toBe(0);
  });

  it("mentions an agent that runs another one's hooks as well", async () => {
    putSettings();
    expect((await run(init, ["--yes", "--verbose"])).stdout).toContain("Cursor also runs the hooks of Claude Code");
  });

  it("tells how any other agent can pipe JSON", async () => {
    const { code, stdout } = await run(init, ["--agent", "generic"]);
    expect(code).toBe(0);
    expect(stdout).toContain("hookbell hook --agent NAME");
    const asJson = await run(init, ["--agent", "generic", "--json"]);
    expect(JSON.parse(asJson.stdout)).toEqual({ agents: [] });
    expect(asJson.stderr).toBe(stdout);
    expect(names()).toEqual([]);
  });

  it.each([
    ["gemni", "gemini-cli"],
    ["claude", "claude-code"],
    ["claudecode", "claude-code"],
    ["copilot", "copilot-cli"],
    ["Cursor", "cursor"],
    ["qwen", "qwen-code"],
    ["open-code", "opencode"],
    ["pi-coding-agent", "pi"],
    ["windsurfer", "windsurf"],
  ])("asks whether %s means %s", async (typed, meant) => {
    const { code, stderr } = await run(init, ["--agent", typed]);
    expect(code).toBe(64);
    expect(stderr).toContain(`did you mean ${meant}?`);
  });
});

describe("refusals of other shapes", () => {
  const rows: [name: string, id: string, make: () => void, message: RegExp, code: number][] = [
    [
      "a script of the person's",
      "cline",
      () => void put(".cline/hooks/TaskComplete", "#!/bin/sh\n", 0o755),
      /is not hookbell's[\s\S]*call hookbell from it/,
      73,
    ],
    [
      "a plug-in of others'",
      "opencode",
      () => void put(".config/opencode/plugins/hookbell.js", "export {}\n"),
      /is not hookbell's/,
      73,
    ],
    [
      "a folder in place of a program",
      "cline",
      () => void mkdirSync(join(home, ".cline/hooks/TaskError"), { recursive: true }),
      /not a file/,
      73,
    ],
    [
      "a link to nothing (posix)",
      "opencode",
      () => (
        mkdirSync(join(home, ".config/opencode/plugins"), { recursive: true }),
        symlinkSync("/nowhere", join(home, ".config/opencode/plugins/hookbell.js"))
      ),
      /a link to \/nowhere/,
      73,
    ],
    ["a read-only file", "cursor", () => void put(".cursor/hooks.json", '{"version":1}', 0o444), /read-only/, 73],
    [
      "a read-only folder (posix)",
      "copilot-cli",
      () => (
        mkdirSync(join(home, ".copilot/hooks"), { recursive: true }),
        chmodSync(join(home, ".copilot/hooks"), 0o555)
      ),
      /cannot be written/,
      73,
    ],
    [
      "broken JSON",
      "windsurf",
      () => void put(".codeium/windsurf/hooks.json", '{\n  "hooks": [,]\n}'),
      /hooks\.json:2:13: this is not JSON/,
      65,
    ],
    ["an agent file that is broken", "kiro", () => void put(".kiro/agents/a.json", "{"), /a\.json:1:2/, 65],
    ["no agent file", "kiro", () => mkdirSync(join(home, ".kiro")), /built-in agents cannot have hooks/, 1],
    [
      "a member that Codex refuses",
      "codex",
      () => void put(".codex/hooks.json", '{"$schema":"x"}'),
      /"\$schema" may not be here/,
      65,
    ],
  ];
  it.each(rows)("%s keeps init from writing, and is told with what to do", async (_name, id, make, message, code) => {
    make();
    const before = names();
    const result = await run(init, ["--yes", "--agent", id]);
    expect(result.stderr).toMatch(message);
    expect(result.code).toBe(code);
    expect(names()).toEqual(before);
  });
});

describe("an administrator's policy", () => {
  const policies: [id: keyof typeof hookSetups, policy: string][] = [
    ["claude-code", '{"allowManagedHooksOnly": true}'],
    ["claude-code", '{"disableAllHooks": true}'],
    ["codex", "allow_managed_hooks_only = true\n"],
    ["codex", "[features]\nhooks = false\n"],
    ["droid", '{ // ours alone\n"allowManagedHooksOnly": true }'],
    ["copilot-cli", '{"disableAllHooks": true}'],
    ["gemini-cli", '{"hooksConfig": {"enabled": false}}'],
    ["qwen-code", '{"disableAllHooks": true}'],
  ];
  const under = (id: string, policy: string): AgentTarget => {
    const folder = join(home, "policies");
    put(`policies/${id === "codex" ? "requirements.toml" : "50-policy.json"}`, policy);
    const place = id === "codex" ? join(folder, "requirements.toml") : `${folder}/`;
    const target = listTargets({ HOME: home }, home, "linux").find((each) => each.id === id);
    if (target === undefined) throw new Error(`no ${id}`);
    return { ...target, managedPlaces: [join(home, "none.json"), `${home}/none/`, place] };
  };
  const context = (): InstallContext => ({ installation, platform: "linux", nowMs: 0, store: recordStore(home) });

  it.each(policies)("that forbids hooks of %s is a refusal (%#)", (id, policy) => {
    const { plan } = prepareInstall(context(), under(id, policy));
    expect(plan.changes).toEqual([]);
    expect(plan.problems).toMatchObject([{ path: expect.stringContaining("policies"), exitCode: 1 }]);
    expect(plan.problems[0]?.message).toContain("your administrator set");
  });

  it.each(policies)("that says nothing of the kind is none (%#)", (id, policy) => {
    const { plan } = prepareInstall(context(), under(id, policy.replaceAll("true", "0").replaceAll("false", "0")));
    expect(plan.problems).toEqual([]);
  });

  it.each([
    ["gemini-cli", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", '{"hooksConfig": {"enabled": false}}', ".gemini/settings.json"],
    ["qwen-code", "QWEN_CODE_SYSTEM_SETTINGS_PATH", '{"disableAllHooks": true}', ".qwen/settings.json"],
  ])(
    "leaves the settings of %s as they are, breaks doctor, and does not keep hooks in",
    async (id, name, policy, file) => {
      put(file, "{}\n");
      const path = put("policy.json", policy);
      const refused = await run(init, ["--yes", "--agent", id], { [name]: path });
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain(`${path}: your administrator set`);
      expect(get(file)).toBe("{}\n");
      expect((await run(init, ["--yes", "--agent", id])).code).toBe(0);
      const findings = await examine({ [name]: path });
      expect(findings).toContainEqual(
        expect.objectContaining({ status: "broken", text: expect.stringContaining(path) }),
      );
      expect((await run(uninstall, ["--yes"], { [name]: path })).code).toBe(0);
      expect(get(file)).toBe("{}\n");
    },
  );
});

describe("someone else writing at the same time, in every shape", () => {
  const context = (): InstallContext => ({
    installation,
    platform: "linux",
    nowMs: 0,
    store: recordStore(join(home, ".local")),
  });
  const target = (id: string): AgentTarget => {
    const found = listTargets({ HOME: home }, home, "linux").find((each) => each.id === id);
    if (found === undefined) throw new Error(`no ${id}`);
    return found;
  };

  const edits: [id: string, file: string, before: string, theirs: string][] = [
    ["cursor", ".cursor/hooks.json", '{"version":1,"hooks":{}}', '{"version":1,"hooks":{},"theirs":1}'],
    ["windsurf", ".codeium/windsurf/hooks.json", "{}", '{"theirs":1}'],
    ["kiro", ".kiro/agents/a.json", "{}", '{"theirs":1}'],
    ["codex", ".codex/hooks.json", "{}", '{"description":"theirs"}'],
  ];
  it.each(edits)("in a file of %s, init and uninstall keep what was written", (id, file, before, theirs) => {
    const path = put(file, before);
    const agent = target(id);
    const prepared = prepareInstall(context(), agent);
    writeFileSync(path, theirs);
    expect(applyInstall(context(), prepared).problems).toEqual([]);
    expect(get(file)).toContain("theirs");
    expect(get(file)).toContain("hook.cjs");
    const leaving = prepareUninstall(context(), agent);
    writeFileSync(path, get(file).replace("theirs", "changed"));
    expect(applyUninstall(context(), leaving).problems).toEqual([]);
    expect(get(file)).toBe(theirs.replace("theirs", "changed"));
  });

  it.each([
    ["cline", ".cline/hooks/TaskComplete"],
    ["opencode", ".config/opencode/plugins/hookbell.js"],
  ])("a file that appears where %s's is to be stays, and is reported", (id, file) => {
    const prepared = prepareInstall(context(), target(id));
    put(file, "theirs");
    expect(applyInstall(context(), prepared).problems[0]?.message).toContain("is not hookbell's");
    expect(get(file)).toBe("theirs");
  });

  it("a program that is changed right before uninstall is left to them", async () => {
    await run(init, ["--yes", "--agent", "cline"]);
    const prepared = prepareUninstall(context(), target("cline"));
    const path = join(home, ".cline/hooks/TaskError");
    writeFileSync(path, `${readFileSync(path, "utf8")}echo mine\n`);
    expect(applyUninstall(context(), prepared).problems).toEqual([]);
    expect(names().filter((name) => name.startsWith(".cline/hooks/"))).toEqual([".cline/hooks/TaskError"]);
  });
});

describe("the script that hooks call", () => {
  it("stays while a program that was changed by hand calls it", async () => {
    const scriptPath = join(home, ".local/state/hookbell/hookbell-hook.sh");
    const from = { ...installation, scriptPath };
    await run(init, ["--yes", "--agent", "cline"], {}, from);
    const path = join(home, ".cline/hooks/TaskComplete");
    const ours = readFileSync(path, "utf8");
    writeFileSync(path, `${ours}# mine\n`);
    const left = await run(uninstall, ["--yes"], {}, from);
    expect(left.stderr).toContain("you changed it");
    expect(existsSync(scriptPath)).toBe(true);
    writeFileSync(path, ours);
    await run(uninstall, ["--yes"], {}, from);
    expect(existsSync(scriptPath)).toBe(false);
    expect(names()).toEqual([]);
  });
});

describe("backups of other shapes", () => {
  it.each([
    ["cursor", ".cursor/hooks.json", '{"version":1}'],
    ["kiro", ".kiro/agents/a.json", "{}"],
  ])("keep the last five and the original of %s", async (id, file, text) => {
    put(file, text);
    for (let round = 0; round < 8; round += 1) {
      const from = { ...installation, hookPath: `/opt/v${round}/node_modules/hookbell/dist/hook.cjs` };
      expect((await run(init, ["--yes", "--agent", id], {}, from)).code).toBe(0);
    }
    const backups = names().filter((name) => name.includes("hookbell-backup"));
    expect(backups).toHaveLength(6);
    for (const name of backups) expect(name).toMatch(/-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/);
    await run(uninstall, ["--yes"]);
    expect(get(file)).toBe(text);
  });

  it("are in the state folder where the settings are in a repository", async () => {
    const text = '{"version":1}';
    put(".cursor/hooks.json", text);
    put(".git/HEAD", "ref: refs/heads/main\n");
    for (let round = 0; round < 8; round += 1) {
      const from = { ...installation, hookPath: `/opt/v${round}/node_modules/hookbell/dist/hook.cjs` };
      expect((await run(init, ["--yes", "--agent", "cursor"], {}, from)).code).toBe(0);
    }
    expect(names().filter((name) => name.includes("hookbell-backup"))).toEqual([]);
    const backups = join(home, ".local/state/hookbell/backups");
    expect(readdirSync(backups)).toHaveLength(6);
    for (const name of readdirSync(backups)) expect(name).toMatch(/^hooks\.json-[0-9a-f]{12}\.hookbell-backup-2/);
    expect((await run(uninstall, ["--yes"])).code).toBe(0);
    expect(get(".cursor/hooks.json")).toBe(text);
    expect(readdirSync(backups)).toEqual([]);
  });

  it("are not made of files of our own", async () => {
    for (const version of [1, 2]) {
      const from = { ...installation, hookPath: `/opt/v${version}/node_modules/hookbell/dist/hook.cjs` };
      expect((await run(init, ["--yes", "--agent", "cline,opencode"], {}, from)).code).toBe(0);
    }
    expect(names().filter((name) => name.includes("backup"))).toEqual([]);
  });
});

describe("doctor", () => {
  const findings = async (): Promise<string[]> => (await examine()).map(({ status, text }) => `${status}: ${text}`);

  it("says which event a rule waits for that is not set up (posix)", async () => {
    put(".gemini/settings.json", "{}");
    const rules = (event: string): string =>
      JSON.stringify({
        channels: { c: { type: "command", argv: ["true"] } },
        rules: [{ when: { event }, notify: ["c"] }],
      });
    put(".config/hookbell/rules.jsonc", rules("Stop"));
    const installHere = async (): Promise<number> => await init(["--yes"], io());
    expect(await installHere()).toBe(0);
    expect(await findings()).toEqual(["ok: Gemini CLI: its hooks call this hookbell"]);
    put(".config/hookbell/rules.jsonc", rules("Notification"));
    expect(await findings()).toEqual([
      "warning: Gemini CLI: rules wait for events that no hook sends: Notification, AfterTool",
    ]);
    expect(await installHere()).toBe(0);
    expect(await findings()).toEqual(["ok: Gemini CLI: its hooks call this hookbell"]);
  });

  it("sees whether the hook of questions can wait for an answer, and init lets it wait long enough (posix)", async () => {
    const settings = put(".claude/settings.json", "{}");
    const rules = (more: object): string =>
      JSON.stringify({
        channels: { t: { type: "telegram", token: { env: "BOT" }, chat: 1, ...more } },
        rules: [{ when: { event: ["PermissionRequest", "Stop"] }, notify: ["t"] }],
        ...("answers" in more ? { answers: { hold: "always" } } : {}),
      });
    const installHere = async (): Promise<number> => await init(["--yes"], io());
    const timeoutOf = (event: string): unknown =>
      (JSON.parse(readFileSync(settings, "utf8")) as { hooks: Record<string, { hooks: { timeout: number }[] }[]> })
        .hooks[event]?.[0]?.hooks[0]?.timeout;
    put(".config/hookbell/rules.jsonc", rules({}), 0o600);
    expect(await installHere()).toBe(0);
    expect([timeoutOf("PermissionRequest"), timeoutOf("Stop")]).toEqual([10, 10]);
    put(".config/hookbell/rules.jsonc", rules({ answers: true }), 0o600);
    expect(await findings()).toEqual(["warning: Claude Code: its hooks are out of date"]);
    expect(await installHere()).toBe(0);
    expect([timeoutOf("PermissionRequest"), timeoutOf("Stop")]).toEqual([600, 10]);
    expect(await findings()).toEqual(["ok: Claude Code: its hooks call this hookbell"]);
    put(".claude/settings.json", readFileSync(settings, "utf8").replace("600", "30"));
    expect(await findings()).toEqual(["warning: Claude Code: its hooks are out of date"]);
    expect(await installHere()).toBe(0);
    expect(timeoutOf("PermissionRequest")).toBe(600);
    // The page of `hookbell serve` takes answers without a channel.
    put(".config/hookbell/rules.jsonc", rules({ answers: false }), 0o600);
    expect(await findings()).toEqual(["ok: Claude Code: its hooks call this hookbell"]);
    // Without answers, it waits as long as before; a time of the person's own stays.
    put(".config/hookbell/rules.jsonc", rules({}), 0o600);
    expect(await installHere()).toBe(0);
    expect(timeoutOf("PermissionRequest")).toBe(10);
    put(".claude/settings.json", readFileSync(settings, "utf8").replaceAll(": 10", ": 45"));
    expect(await installHere()).toBe(0);
    expect([timeoutOf("PermissionRequest"), timeoutOf("Stop")]).toEqual([45, 45]);
  });

  it("init says that the rules file is broken, and which rules it goes by", async () => {
    put(".claude/settings.json", "{}");
    put(".config/hookbell/rules.jsonc", '{"rules":[{"notify":["nobody"]}]}', 0o600);
    const errors: string[] = [];
    expect(await init(["--yes"], { ...io(), stderr: (text) => void errors.push(text) })).toBe(0);
    expect(errors.join("")).toMatch(/the rules file is broken; [^.]+ apply\. See: hookbell check/);
    // Also where there is nothing to change, it is what is left to do.
    const said: string[] = [];
    expect(await init(["--yes"], { ...io(), stdout: (text) => void said.push(text) })).toBe(0);
    expect(said.join("")).toMatch(
      /nothing to change\n[^]*You still have to:\n.*repair \S+rules\.jsonc \(2 mistakes: hookbell check\); until then [^.]+ appl(?:y|ies)\n/,
    );
  });

  it("notices an event that came from a plug-in and from the settings (posix)", async () => {
    put(".gemini/settings.json", "{}");
    expect(await init(["--yes"], io())).toBe(0);
    const record = (...ways: string[]): void => {
      const recent = [
        {
          id: "evt_1",
          at: 1,
          name: "Stop",
          key: "k",
          ways: Object.fromEntries(ways.map((way) => [way, "evt_1"])),
          channels: [],
        },
      ];
      const text = JSON.stringify({ agent: "gemini-cli", session: "s", lastSeenAt: 1, remembered: {}, recent });
      put(".local/state/hookbell/sessions/s.json", text);
    };
    record("gemini-cli:AfterAgent", "cursor:AfterAgent");
    expect(await findings()).toEqual(["ok: Gemini CLI: its hooks call this hookbell"]);
    record("gemini-cli:AfterAgent", "gemini-cli by plugin:AfterAgent");
    expect(await findings()).toContain(
      "warning: Gemini CLI: its plug-in and its settings both call hookbell; each event is delivered once",
    );
  });

  it("notices what an agent took out again, and a rule for what it never sends", async () => {
    put(".cursor/hooks.json", '{"version":1,"hooks":{}}');
    const when = { agent: "cursor", event: "Notification" };
    const channels = { c: { type: "command", argv: ["true"] } };
    put(".config/hookbell/rules.jsonc", JSON.stringify({ channels, rules: [{ when, notify: ["c"] }] }));
    expect(await findings()).toEqual([expect.stringMatching(/^warning: Cursor: its hooks are missing/)]);
    await run(init, ["--yes"]);
    const never = /^warning: the rule "rule 1" waits for Notification, which none of your agents sends/;
    expect(await findings()).toContainEqual(expect.stringMatching(never));
  });
});
