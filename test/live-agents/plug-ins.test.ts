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
import type { AgentEvent } from "../../src/model/event.ts";
import { listSessions } from "../../src/outbox/sessions.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { startAgentTerminal, terminalParts } from "../support/agents/agent-terminal.ts";
import { describeWithParts } from "../support/parts.ts";
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

/** A session of the agent with the plug-in installed by its own commands. */
async function startWithPlugIn({ recipe, install }: PlugIn, program: string): Promise<AgentSession> {
  const session = await startAgentSession(recipe);
  const { cwd, env } = session;
  for (const args of install(clone(session))) {
    expect(await end(spawn(program, args, { cwd, env }), "")).toMatchObject({ code: 0, signal: null });
  }
  return session;
}

describe.each(plugIns)("hookbell as a plug-in of $recipe.agent", (plugIn) => {
  const { recipe, events } = plugIn;
  const cli = clisHere(recipe).at(-1);
  let program = "";
  beforeAll(async () => {
    if (cli === undefined) throw new Error(`${recipe.agent} cannot run on this machine`);
    program = await installAgentCli(cli);
  });

  it("tells of a turn once, in silence", async () => {
    const session = await startWithPlugIn(plugIn, program);
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
    const session = await startWithPlugIn(plugIn, program);
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

describeWithParts("the plug-in's mod in Claude Code", terminalParts, () => {
  const [plugIn] = plugIns;
  if (plugIn === undefined) throw new Error("Claude Code's plug-in is the first");
  let program = "";
  beforeAll(async () => {
    const [cli] = claudeCode.clis;
    program = await installAgentCli(cli);
  });

  it("tells once, for all sessions, that a limit runs high", async () => {
    const session = await startWithPlugIn(plugIn, program);
    await session.project.run(["init", "--agent", "windsurf", "--yes"]);
    // A login, of which only the pretend model hears.
    delete session.env.ANTHROPIC_API_KEY;
    session.env.CLAUDE_CODE_OAUTH_TOKEN = "sk-ant-oat01-pretended-00000000000000000000";
    const resetsAt = Math.floor(Date.now() / 1000) + 3600;
    Object.assign(session.model.headers, {
      "anthropic-ratelimit-unified-status": "allowed_warning",
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
      "anthropic-ratelimit-unified-reset": String(resetsAt),
      "anthropic-ratelimit-unified-5h-utilization": "0.86",
      "anthropic-ratelimit-unified-5h-reset": String(resetsAt),
      "anthropic-ratelimit-unified-7d-utilization": "0.41",
      "anthropic-ratelimit-unified-7d-reset": String(resetsAt + 360_000),
    });
    const limits = async (): Promise<AgentEvent[]> =>
      (await session.settled()).map(({ event }) => event).filter(({ name }) => name === "LimitHigh");
    expect(await session.run(program, promptFor({ say: said }))).toMatchObject({ code: 0 });
    await session.project.until("the limit", () =>
      session.receiver.requests.some(({ body }) => body.includes("LimitHigh")),
    );
    expect(await limits()).toMatchObject([
      { title: "86% of the five-hour limit of Claude Code is used", reason: "80%", notificationType: "five_hour" },
    ]);
    expect(await session.run(program, promptFor({ say: said }))).toMatchObject({ code: 0 });
    expect(await limits()).toHaveLength(1);
  });

  it("tells that the person stopped a turn, for which Claude Code runs no hook", async () => {
    const session = await startWithPlugIn(plugIn, program);
    await session.project.run(["init", "--agent", "windsurf", "--yes"]);
    const { cwd, env } = session;
    const terminal = startAgentTerminal(session.project.home, [program, ...interactiveArgs(session, claudeCode)], {
      cwd,
      env,
    });
    await terminal.until(/\? for shortcuts/);
    await terminal.enter(promptFor({ run: "touch made-by-the-agent; tail -f made-by-the-agent", say: said }));
    await terminal.until(/Do you want to proceed\?/);
    terminal.press("Enter");
    await terminal.until(/esc to interrupt/);
    terminal.press("Escape");
    const stopped = (): boolean =>
      session.project
        .journal()
        .some(({ kind, event }) => kind === "event" && (event as AgentEvent | undefined)?.name === "Interrupt");
    await session.project.until("the Interrupt", stopped);
    expect(listSessions(session.project.layout)).toMatchObject([{ state: { kind: "interrupted" } }]);
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
