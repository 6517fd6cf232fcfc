// What init, uninstall and doctor tell a person, over real files in a temporary home.
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/console/ask.ts";
import { init } from "../../../src/commands/init/init.ts";
import { uninstall } from "../../../src/commands/init/uninstall.ts";
import { homeWithHooks } from "../../support/project/home-with-hooks.ts";

const { examine, path, put, run } = homeWithHooks();

describe("why a supporting event is set up", () => {
  it("is said of each event", async () => {
    put(
      ".config/hookbell/rules.jsonc",
      '{"channels":{"bell":{"type":"desktop"}},"rules":[{"name":"r","when":{"event":"Stop"},"notify":["bell"]}]}',
    );
    const { stdout } = await run(init, ["--agent=claude-code", "--yes"]);
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
