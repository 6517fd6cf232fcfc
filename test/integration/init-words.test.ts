// What init, uninstall and doctor tell a person, over real files in a temporary home.
import { chmodSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { init } from "../../src/commands/init.ts";
import { uninstall } from "../../src/commands/uninstall.ts";
import { wiredHome } from "../support/wired-home.ts";

const { path, put, run } = wiredHome();

describe("what there is to do afterwards", () => {
  const codexOf = (version: string): Record<string, string> => {
    put("bin/codex", `#!/bin/sh\necho codex-cli ${version}\n`);
    chmodSync(path("bin/codex"), 0o755);
    return { PATH: path("bin") };
  };

  it("follows from what was written: there is nothing to approve where Codex calls one program", async () => {
    mkdirSync(path(".codex"));
    const older = await run(init, ["--yes"], { env: codexOf("0.50.0") });
    expect(older.stdout).toContain("there is nothing to approve\n");
    expect(older.stdout).not.toContain("/hooks");
    const report = JSON.parse((await run(init, ["--yes", "--json"], { env: codexOf("0.169.0") })).stdout) as unknown;
    expect(report).toMatchObject({
      agents: [{ afterwards: expect.stringContaining("approve the hooks with /hooks") }],
    });
  });
});

describe("why a supporting event is wired", () => {
  it("is said of each event", async () => {
    put(
      ".config/hookbell/rules.jsonc",
      '{"channels":{"bell":{"type":"desktop"}},"rules":[{"name":"r","when":{"event":"Stop"},"notify":["bell"]}]}',
    );
    const { stdout } = await run(init, ["--agent=claude-code", "--yes"]);
    expect(stdout).toContain("  UserPromptSubmit: only to know when a turn begins\n");
    expect(stdout).toContain("  SessionEnd: only to know when a session has ended\n");
  });
});

describe("an agent that runs another one's hooks", () => {
  it.each([
    ["init", ["--agent", "vscode"], "hookbell init --agent claude-code"],
    ["init", ["--verify", "vscode"], "hookbell init --verify claude-code"],
    ["uninstall", ["--agent", "vscode"], "hookbell uninstall --agent claude-code"],
  ] as const)("is answered with that one: %s %j", async (verb, args, instead) => {
    const { code, stderr } = await run({ init, uninstall }[verb], [...args]);
    expect({ code, stderr }).toEqual({ code: 64, stderr: `VS Code runs the hooks of Claude Code\n${instead}\n` });
  });
});
