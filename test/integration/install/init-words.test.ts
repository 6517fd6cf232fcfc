// What init, uninstall and doctor tell a person, over real files in a temporary home.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Ask } from "../../../src/console/ask.ts";
import { init } from "../../../src/commands/init/init.ts";
import { uninstall } from "../../../src/commands/init/uninstall.ts";
import { startOf } from "../../../src/system/process/identity.ts";
import { version } from "../../../src/system/version.ts";
import { homeWithHooks } from "../../support/project/home-with-hooks.ts";

const { examine, path, put, run } = homeWithHooks();

describe("why a supporting event is set up", () => {
  it("is said of each event", async () => {
    put(
      ".config/hookbell/rules.jsonc",
      '{"channels":{"bell":{"type":"desktop"}},"rules":[{"name":"r","when":{"event":"Stop"},"notify":["bell"]}]}',
    );
    const { stdout } = await run(init, ["--agent=claude-code", "--yes", "--verbose"]);
    expect(stdout).toContain("  UserPromptSubmit: only to know when a turn starts\n");
    expect(stdout).toContain("  SessionEnd: only to know when a session ends\n");
  });
});

describe("an agent that runs another one's hooks", () => {
  it.each([
    ["init", ["--agent", "vscode"], "hookbell init --agent claude-code"],
    ["init", ["--verify", "vscode"], "hookbell init --verify claude-code"],
    ["uninstall", ["--agent", "vscode"], "hookbell uninstall --agent claude-code"],
  ] as const)("is answered with that one: %s %j", async (verb, args, instead) => {
    const { code, stderr } = await run({ init, uninstall }[verb], [...args]);
    expect({ code, stderr }).toEqual({
      code: 64,
      stderr: `VS Code runs the hooks of Claude Code\n${instead}\n`,
    });
  });
});

describe("many agents", () => {
  const answering = (yes: boolean): { ask: Ask; asked: string[] } => {
    const asked: string[] = [];
    const choose: Ask["choose"] = (_question, options) => Promise.resolve(options.map(({ value }) => value));
    const pick: Ask["pick"] = (question) => (asked.push(question), Promise.resolve(yes ? "yes" : "no"));
    return { asked, ask: { choose, pick, confirm: () => Promise.resolve(false) } };
  };

  it("are summed up in a line each, and those left as they are named in the end", async () => {
    const broken = put(".factory/settings.json", '{\n  "model": "x",\n}\n');
    for (const folder of [".claude", ".cursor"]) mkdirSync(path(folder));
    put(".config/goose/config.yaml", "a: 1\n");
    const { ask, asked } = answering(true);
    const { stdout, stderr } = await run(init, [], { ask });
    const reason = `Droid (${broken}:3:1: a comma before the closing bracket: the agent ignores the whole file)`;
    expect(stdout.split("wrote ")[0]?.split("\n")).toEqual([
      expect.stringMatching(/^Claude Code: adds \d hooks to settings.json; changes nothing of yours$/),
      expect.stringMatching(/^Cursor: adds \d hooks to hooks.json; changes nothing of yours$/),
      expect.stringMatching(/^goose: adds .*, which is hookbell's own; changes nothing of yours$/),
      "",
    ]);
    expect(asked[0]).toBe("Write these changes?");
    expect(stderr).toContain(`hookbell: not changed: ${reason}\n`);
  });
});

describe("for one agent", () => {
  it("init and uninstall fit on half a screen, and say what is left to do last", async () => {
    mkdirSync(path(".codex"));
    const installed = await run(init, ["--yes"]);
    const lines = installed.stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(14);
    expect(lines.slice(-5)).toEqual([
      "| You still have to:",
      "| - restart codex and approve the hooks with /hooks; until then it silently skips them",
      "Next steps:",
      "- add your phone: hookbell channels add",
      "- see all sessions: hookbell board",
    ]);
    const removed = await run(uninstall, ["--yes"]);
    expect(removed.stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(14);
    expect(removed.stdout).toContain("Codex: removes hooks.json, which has nothing else\n");
    expect(removed.stdout).not.toContain('"command"');
  });

  it("uninstall shows the exact changes with --diff", async () => {
    put(".claude/settings.json", "{}\n");
    await run(init, ["--yes"]);
    const { stdout } = await run(uninstall, ["--yes", "--diff"]);
    expect(stdout).toContain('-    "PermissionRequest": [');
  });
});

describe("a server of the page", () => {
  const state = ".local/state/hookbell";
  /** A process that could be one, as its note has it. */
  function startServer(version: string): { pid: number; ended: Promise<unknown> } {
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"], { stdio: "ignore" });
    const { pid = 0 } = child;
    onTestFinished(() => void child.kill());
    const note = { origin: "http://127.0.0.1:8765", pid, start: startOf(pid), version };
    put(`${state}/page.json`, JSON.stringify(note));
    return { pid, ended: new Promise((resolve) => child.once("exit", resolve)) };
  }

  it("of an older version is to be restarted after init", async () => {
    mkdirSync(path(".claude"));
    const { pid } = startServer("0.9.0");
    expect((await run(init, ["--yes"])).stdout).toContain(
      `| - restart \`hookbell serve\` (process ${pid}): it is still 0.9.0\n`,
    );
    startServer(version);
    expect((await run(init, ["--yes"])).stdout).not.toContain("hookbell serve");
  });

  it("is named by uninstall, and ended if the person says so", async () => {
    mkdirSync(path(".claude"));
    await run(init, ["--yes"]);
    const { pid, ended } = startServer(version);
    const what = `\`hookbell serve\` still runs (process ${pid}, http://127.0.0.1:8765)`;
    expect((await run(uninstall, ["--yes"])).stdout).toContain(`${what}; to end it: kill ${pid}\n`);
    await run(init, ["--yes"]);
    const asked: string[] = [];
    const ask: Ask = {
      choose: () => Promise.resolve([]),
      pick: () => Promise.resolve("yes"),
      confirm: (question) => (asked.push(question), Promise.resolve(true)),
    };
    await run(uninstall, [], { ask });
    expect(asked).toEqual([`${what}. End it?`]);
    await ended;
  });
});

describe("the change in JSON", () => {
  it("is whole, lines of any length included", async () => {
    put(".claude/settings.json", `{"env":{"X":"${"word ".repeat(100)}"}}`);
    mkdirSync(path(".config/opencode"), { recursive: true });
    const { stdout } = await run(init, ["--dry-run", "--json", "--all-events"]);
    const { agents } = JSON.parse(stdout) as { agents: { files: { diff: string }[] }[] };
    const diffs = agents.flatMap(({ files }) => files.map(({ diff }) => diff)).join("\n");
    expect(diffs).toContain("word ".repeat(100));
    expect(diffs).toMatch(/^\+const wanted = .*\]\);$/m);
    expect(diffs).not.toContain("…");
  });
});

it("doctor warns where the agent ends a question before the hook stops waiting", async () => {
  const rules = (more: object) => {
    const channels = { bell: { type: "desktop", answers: true } };
    const asks = { name: "asks", when: { event: "PermissionRequest" }, notify: ["bell"] };
    put(".config/hookbell/rules.jsonc", JSON.stringify({ channels, rules: [asks], ...more }), 0o600);
  };
  const warned = async (): Promise<boolean> =>
    (await examine()).some(({ text }) => text.includes("ends its questions after 1m"));
  put(".claude/settings.json", '{ "askUserQuestionTimeout": "60s" }');
  rules({ answers: {} });
  expect(await warned()).toBe(true);
  rules({ answers: { holdFor: "1m" } });
  expect(await warned()).toBe(false);
  rules({});
  expect(await warned()).toBe(false);
});
