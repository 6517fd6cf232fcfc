// This repository installed as a plug-in by the real agents, and what they then send.
import { spawn } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { codex } from "../agents/known/codex/recipe.ts";
import { droid } from "../agents/known/droid/recipe.ts";
import { geminiCli } from "../agents/known/gemini-cli/recipe.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { end } from "../support/project/running-project.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const said = "The shop sells again.";

/** A clone of the repository: nothing is built in it. */
function clone({ project }: AgentSession): string {
  const copy = join(project.home, "clone", "hookbell");
  for (const name of readdirSync(root)) {
    if (!/^(?:node_modules|dist.*|\.git|test|bench|demo)$/.test(name)) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
  }
  return copy;
}

interface PlugIn {
  recipe: AgentRecipe;
  /** The agent's own commands that install it from the clone. */
  install(clone: string): string[][];
  events: string[];
}

const plugIns: PlugIn[] = [
  {
    recipe: claudeCode,
    install: (copy) => [
      ["plugin", "marketplace", "add", copy],
      ["plugin", "install", "hookbell@hookbell"],
    ],
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
  },
  {
    recipe: droid,
    install: (copy) => [
      ["plugin", "marketplace", "add", copy],
      ["plugin", "install", "hookbell@hookbell"],
    ],
    events: ["Stop", "SessionEnd"],
  },
  {
    recipe: codex,
    install: (copy) => [
      ["plugin", "marketplace", "add", copy],
      ["plugin", "add", "hookbell@hookbell"],
    ],
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
  },
  {
    recipe: geminiCli,
    install: (copy) => [["extensions", "install", join(copy, "hooks/gemini-cli"), "--consent"]],
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
  },
];

describe.each(plugIns)("hookbell as a plug-in of $recipe.agent", ({ recipe, install, events }) => {
  const cli = clisHere(recipe).at(-1);
  let program = "";
  beforeAll(async () => {
    if (cli === undefined) throw new Error(`${recipe.agent} cannot run on this machine`);
    program = await installAgentCli(cli);
  });

  async function startWithPlugIn(): Promise<AgentSession> {
    const session = await startAgentSession(recipe);
    const { cwd, env } = session;
    for (const args of install(clone(session))) {
      expect(await end(spawn(program, args, { cwd, env }), "")).toMatchObject({ code: 0, signal: null });
    }
    return session;
  }

  it("tells of a turn once, in silence", async () => {
    const session = await startWithPlugIn();
    // Puts the hook beside the state, and leaves this agent's settings alone.
    await session.project.run(["init", "--agent", "windsurf", "--yes"]);
    const ended = await session.run(program, promptFor({ say: said }));
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stdout.trim()).toBe(said);
    expect(ended.stderr).not.toMatch(/hookbell: |hook: .*fail|invalid hook/i);
    const received = await session.settled();
    expect(received.map(({ event }) => [event.agent, event.name])).toEqual(events.map((name) => [recipe.agent, name]));
  });

  it("tells once what the agent's own settings call hookbell for as well", async () => {
    const session = await startWithPlugIn();
    await session.wire("init");
    expect((await session.run(program, promptFor({ say: said }))).stdout.trim()).toBe(said);
    const received = await session.settled();
    expect(received.map(({ event }) => event.name)).toEqual(events);
    const cameTwice = (): unknown[] =>
      session.project.journal().filter(({ kind, duplicateOf }) => kind === "decision" && duplicateOf !== undefined);
    // A SessionStart, too, which goes nowhere here.
    await session.project.until("both tellings", () => cameTwice().length >= events.length);
  });
});

describe("Claude Code's own validator", () => {
  it("finds no fault with the plug-in and the marketplace, strictly", async () => {
    const [cli] = claudeCode.clis;
    const session = await startAgentSession(claudeCode);
    const { cwd, env } = session;
    const copy = clone(session);
    for (const path of [copy, join(copy, ".claude-plugin/plugin.json")]) {
      const args = ["plugin", "validate", "--strict", path];
      const { code, stdout } = await end(spawn(await installAgentCli(cli), args, { cwd, env }), "");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("Validation passed\n") as unknown });
    }
  });
});
