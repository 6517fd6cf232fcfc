// The plug-ins, as a release publishes them, installed by the real agents from a local marketplace, with no hookbell beside them.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { codex } from "../agents/known/codex/recipe.ts";
import { copilotCli } from "../agents/known/copilot-cli/recipe.ts";
import { droid } from "../agents/known/droid/recipe.ts";
import { geminiCli } from "../agents/known/gemini-cli/recipe.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import { readMutes } from "../../src/outbox/attention.ts";
import { listSessions } from "../../src/outbox/sessions.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { filesBelow, interactiveArgs, startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { startAgentTerminal, terminalParts } from "../support/agents/agent-terminal.ts";
import { startDesktop } from "../support/desktop/desktop-session.ts";
import { describeWithParts, findPart } from "../support/parts.ts";
import { plugInsForFile } from "../support/agents/plug-ins.ts";
import { end, type Ended } from "../support/project/running-project.ts";

const said = "The shop sells again.";
const built = plugInsForFile();

interface PlugIn {
  recipe: AgentRecipe;
  /** The agent's own commands. */
  install(marketplace: string): string[][];
  uninstall(marketplace: string): string[][];
  /** The agent's folder below the home. */
  folder: string;
  events: string[];
  /** Arguments with which a person mutes. */
  mute?: string[];
  /** Where the model runs the program: arguments that make the agent show its skills, here or to the model. */
  skills?: string[];
  /** The program that needs no Node itself, beside the one that npm installs. */
  native?: string;
}

const plugIns: PlugIn[] = [
  {
    recipe: claudeCode,
    install: (marketplace) => [
      ["plugin", "marketplace", "add", marketplace],
      ["plugin", "install", "hookbell@hookbell"],
    ],
    uninstall: () => [
      ["plugin", "uninstall", "hookbell@hookbell"],
      ["plugin", "marketplace", "remove", "hookbell"],
    ],
    folder: ".claude",
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
    mute: ["-p", "/hookbell:mute 1h"],
    native: ".",
  },
  {
    recipe: droid,
    install: (marketplace) => [
      ["plugin", "marketplace", "add", marketplace],
      ["plugin", "install", "hookbell@marketplace"],
    ],
    uninstall: () => [
      ["plugin", "uninstall", "hookbell@marketplace"],
      ["plugin", "marketplace", "remove", "marketplace"],
    ],
    folder: ".factory",
    events: ["Stop", "SessionEnd"],
    mute: ["exec", "/hookbell-mute 1h"],
    native: ".",
  },
  {
    recipe: codex,
    install: (marketplace) => [
      ["plugin", "marketplace", "add", marketplace],
      ["plugin", "add", "hookbell@hookbell"],
    ],
    uninstall: () => [
      ["plugin", "remove", "hookbell@hookbell"],
      ["plugin", "marketplace", "remove", "hookbell"],
    ],
    folder: ".codex",
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
    skills: codex.args(promptFor({ say: said })),
    native: "../../@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
  },
  {
    recipe: geminiCli,
    install: (marketplace) => [["extensions", "install", join(marketplace, "gemini-cli"), "--consent"]],
    uninstall: () => [["extensions", "uninstall", "hookbell"]],
    folder: ".gemini",
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
    // It asks before it runs the program.
    mute: ["-y", "-p", "/hookbell:mute 1h"],
  },
  {
    recipe: copilotCli,
    install: (marketplace) => [
      ["plugin", "marketplace", "add", marketplace],
      ["plugin", "install", "hookbell@hookbell"],
    ],
    uninstall: () => [
      ["plugin", "uninstall", "hookbell@hookbell"],
      ["plugin", "marketplace", "remove", "hookbell"],
    ],
    folder: ".copilot",
    events: ["UserPromptSubmit", "Stop", "SessionEnd"],
    skills: ["skill", "list"],
  },
];

const marketplaceOf = ({ project }: AgentSession): string => join(project.home, "marketplace");

async function manage({ cwd, env }: AgentSession, program: string, calls: string[][]): Promise<Ended[]> {
  const ended = [];
  for (const args of calls) {
    const each = await end(spawn(program, args, { cwd, env }), "");
    expect({ args, ...each }).toMatchObject({ code: 0, signal: null });
    ended.push(each);
  }
  return ended;
}

/** A session of the agent with the plug-in installed by its own commands, and no hookbell on the machine. */
async function startWithPlugIn({ recipe, install }: PlugIn, program: string): Promise<AgentSession> {
  const session = await startAgentSession(recipe);
  const marketplace = marketplaceOf(session);
  cpSync(built(), marketplace, { recursive: true });
  await manage(session, program, install(marketplace));
  return session;
}

const namesOf = (received: { event: AgentEvent }[], agent: string): unknown[] =>
  received.map(({ event }) => (event.agent === agent ? event.name : event));

describe.each(plugIns)("hookbell as a plug-in of $recipe.agent", (plugIn) => {
  const { recipe, events } = plugIn;
  const cli = clisHere(recipe).at(-1);
  let program = "";
  beforeAll(async () => {
    if (cli === undefined) throw new Error(`${recipe.agent} cannot run on this machine`);
    program = await installAgentCli(cli);
  });

  it("tells of a turn once, in silence, by itself; and of nothing more when it was uninstalled", async () => {
    const session = await startWithPlugIn(plugIn, program);
    const ended = await session.run(program, promptFor({ say: said }));
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stdout.trim()).toBe(said);
    expect(ended.stderr).not.toMatch(/hookbell: |hook: .*fail|invalid hook/i);
    expect(namesOf(await session.settled(), recipe.agent)).toEqual(events);
    await manage(session, program, plugIn.uninstall(marketplaceOf(session)));
    expect(await session.run(program, promptFor({ say: said }))).toMatchObject({ code: 0, signal: null });
    expect((await session.settled()).length).toBe(events.length);
    // Claude Code keeps a copy for some days, which it marks for removal.
    const left = Object.keys(filesBelow(session, plugIn.folder)).filter((path) => path.endsWith("bin/hookbell"));
    const isMarked = (path: string): boolean =>
      existsSync(join(session.project.home, plugIn.folder, path, "../../.orphaned_at"));
    expect(left.filter((path) => !isMarked(path))).toEqual([]);
  });

  it("tells once what the agent's own settings call hookbell for as well", async () => {
    const session = await startWithPlugIn(plugIn, program);
    await session.install("init");
    expect((await session.run(program, promptFor({ say: said }))).stdout.trim()).toBe(said);
    const received = await session.settled();
    expect(received.map(({ event }) => event.name)).toEqual(events);
    const cameTwice = (): unknown[] =>
      session.project.journal().filter(({ kind, duplicateOf }) => kind === "decision" && duplicateOf !== undefined);
    // A SessionStart, too, which goes nowhere here.
    await session.project.until("both tellings", () => cameTwice().length >= events.length);
  });

  it("has commands that run the program in it", async () => {
    const session = await startWithPlugIn(plugIn, program);
    const { mute, skills } = plugIn;
    const [ended] = await manage(session, program, [mute ?? skills ?? []]);
    if (mute !== undefined) {
      expect(readMutes(session.project.layout, Date.now())).toMatchObject([{ scope: "all" }]);
    } else {
      const shown = `${ended?.stdout}${session.model.requests.map(({ body }) => body).join("\n")}`;
      expect(shown).toContain("Stop hookbell's notifications");
    }
  });
});

describeWithParts("Claude Code's plug-in on a desktop", ["dbus-daemon", "Xvfb", "dunst"], () => {
  it("shows a notification", async () => {
    const [plugIn] = plugIns;
    if (plugIn === undefined) throw new Error("Claude Code's plug-in is the first");
    const desktop = await startDesktop("dunst");
    onTestFinished(desktop.stop);
    const program = await installAgentCli(claudeCode.clis[0]);
    const session = await startWithPlugIn(plugIn, program);
    session.project.writeRules({
      channels: { screen: { type: "desktop" } },
      rules: [{ name: "done", when: { event: "Stop" }, notify: ["screen"] }],
    });
    const { DISPLAY = "", DBUS_SESSION_BUS_ADDRESS = "" } = desktop.env;
    Object.assign(session.env, { DISPLAY, DBUS_SESSION_BUS_ADDRESS });
    expect(await session.run(program, promptFor({ say: said }))).toMatchObject({ code: 0 });
    await session.project.until("the notification", () =>
      desktop.dunstHistory().some(({ summary, body }) => `${summary} ${body}`.includes(said)),
    );
  });
});

describe("a plug-in of an agent that brings its own runtime", () => {
  it.each(plugIns.filter(({ native }) => native !== undefined))(
    "says once that there is no Node, and disturbs nothing: $recipe.agent",
    async (plugIn) => {
      const cli = clisHere(plugIn.recipe).at(-1);
      if (cli === undefined) throw new Error(`${plugIn.recipe.agent} cannot run on this machine`);
      const program = await installAgentCli(cli);
      const session = await startWithPlugIn(plugIn, program);
      const bin = join(session.project.home, "no-node");
      mkdirSync(bin);
      for (const name of ["sh", "bash", "cat", "mv", "mkdir", "rm", "find"]) {
        symlinkSync(findPart(name) ?? "/nowhere", join(bin, name));
      }
      session.env.PATH = bin;
      const ended = await session.run(join(program, plugIn.native ?? ""), promptFor({ say: said }));
      expect(ended).toMatchObject({ code: 0, signal: null });
      expect(ended.stdout.trim()).toBe(said);
      expect(ended.stderr).not.toMatch(/hook: .*fail|invalid hook/i);
      expect(existsSync(join(session.project.layout.root, "plug-in-lacks-node"))).toBe(true);
      expect(session.receiver.requests).toEqual([]);
    },
  );
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
      { headline: "five-hour limit 86% used", reason: "80%", notificationType: "five_hour" },
    ]);
    expect(await session.run(program, promptFor({ say: said }))).toMatchObject({ code: 0 });
    expect(await limits()).toHaveLength(1);
  });

  it("tells that the person stopped a turn, for which Claude Code runs no hook", async () => {
    const session = await startWithPlugIn(plugIn, program);
    const { cwd, env } = session;
    const terminal = startAgentTerminal(session.project.home, [program, ...interactiveArgs(session, claudeCode)], {
      cwd,
      env,
    });
    await terminal.until(/\? for shortcuts/);
    await terminal.enter(promptFor({ run: "touch made-by-the-agent; tail -f made-by-the-agent", say: said }));
    await terminal.until(/Do you want to proceed\?/);
    // Claude Code ignores keys that come as soon as its question does.
    const pressing = setInterval(() => terminal.press("Enter"), 1500);
    await terminal.until(/esc to interrupt/).finally(() => clearInterval(pressing));
    terminal.press("Escape");
    const told = (): unknown[] => session.project.journal().flatMap((entry) => (entry.kind === "event" ? [entry] : []));
    const isTold = (): boolean => JSON.stringify(told()).includes('"name":"Interrupt"');
    const states = (): string[] => listSessions(session.project.layout).map(({ state }) => state.kind);
    await session.project.until("the Interrupt", () => isTold() && states().includes("interrupted"));
    expect(states()).toEqual(["interrupted"]);
  });
});

describe("the vendors' own validators", () => {
  it("Claude Code's finds no fault with the plug-in and the marketplace, strictly, nor would its directory", async () => {
    const [cli] = claudeCode.clis;
    const session = await startAgentSession(claudeCode);
    const program = await installAgentCli(cli);
    const validate = ["plugin", "validate", "--strict"];
    const ended = await manage(session, program, [
      [...validate, built()],
      [...validate, "--profile", "directory", join(built(), "claude-code")],
    ]);
    for (const { stdout } of ended) expect(stdout).toContain("Validation passed");
  });

  it("Gemini CLI's finds no fault with the extension", async () => {
    const session = await startAgentSession(geminiCli);
    const program = await installAgentCli(geminiCli.clis[0]);
    const [ended] = await manage(session, program, [["extensions", "validate", join(built(), "gemini-cli")]]);
    expect(`${ended?.stdout}${ended?.stderr}`).toContain("successfully validated");
  });
});
