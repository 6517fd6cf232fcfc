import { beforeAll, expect, it } from "vitest";
import { clisHere, installAgentCli } from "../support/agent-cli.ts";
import { claudeCode } from "../support/agent-recipes/claude-code.ts";
import { droid } from "../support/agent-recipes/droid.ts";
import type { AgentRecipe } from "../support/agent-recipes/recipe.ts";
import { interactiveArgs, startAgentSession } from "../support/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../support/agent-terminal.ts";
import { describeWithParts } from "../support/parts.ts";
import { promptFor } from "../support/pretend-model.ts";

interface InTerminal {
  /** Gets through what the agent asks before the first prompt. */
  start(terminal: AgentTerminal): Promise<void>;
  /** The question before a command is run; Enter answers yes. */
  question: RegExp;
  quit: string;
  permissionMessage: string;
  sessionEndReason: string;
}

const claudeCodeAtWork: InTerminal = {
  start: (terminal) => terminal.until(/\? for shortcuts/),
  question: /Do you want to proceed\?/,
  quit: "/exit",
  permissionMessage: "Claude needs your permission",
  sessionEndReason: "prompt_input_exit",
};

const droidAtWork: InTerminal = {
  async start(terminal) {
    await terminal.until(/Trust this folder\?[^]*Enter to confirm/);
    terminal.press("Enter");
    await terminal.until(/\? for help/);
  },
  question: /Yes, allow/,
  quit: "/quit",
  permissionMessage: "Factory CLI needs permission to execute 1 tool(s)",
  sessionEndReason: "other",
};

function atWork({ agent }: AgentRecipe): InTerminal {
  return agent === "droid" ? droidAtWork : claudeCodeAtWork;
}

describeWithParts("an agent in a terminal", terminalParts, () => {
  const clis = [claudeCode, droid].flatMap((recipe) => clisHere(recipe).map((cli) => ({ ...cli, recipe })));
  const programs = new Map<string, string>();
  beforeAll(async () => {
    for (const cli of clis) programs.set(cli.package, await installAgentCli(cli));
  });

  it.each(clis)("tells that it needs permission: $package $version", async (cli) => {
    const { start, question, quit, permissionMessage, sessionEndReason } = atWork(cli.recipe);
    const session = await startAgentSession(cli.recipe);
    const { project, cwd, env, receiver } = session;
    await session.wire("init");
    const argv = [programs.get(cli.package) ?? "", ...interactiveArgs(session, cli.recipe)];
    const terminal = startAgentTerminal(project.home, argv, { cwd, env });
    await start(terminal);

    await terminal.enter(promptFor({ run: "touch made-by-the-agent", say: "Made it." }));
    await terminal.until(question);
    // Nobody has answered yet: the person learns of the question while it stands.
    await project.until("the question's delivery", () => receiver.requests.length === 2);
    expect(session.read("work/shop-web/made-by-the-agent")).toBeUndefined();
    terminal.press("Enter");
    await project.until("the turn's delivery", () => receiver.requests.length === 3);
    expect(session.read("work/shop-web/made-by-the-agent")).toBe("");
    await terminal.until(/Made it\./);
    await terminal.enter(quit);
    await terminal.ended();

    const events = (await session.settled()).map(({ event }) => event);
    const common = { agent: cli.recipe.agent, session: events[0]?.session, cwd };
    const asked = { name: "Notification", notificationType: "permission_prompt", message: permissionMessage };
    expect(events.slice(0, 3)).toEqual([
      expect.objectContaining({ ...common, name: "UserPromptSubmit" }),
      expect.objectContaining({ ...common, ...asked, level: "attention" }),
      expect.objectContaining({ ...common, name: "Stop", durationMs: expect.any(Number) as number }),
    ]);
    // Droid calls this hook twice when it is quit.
    expect(new Set(events.slice(3).map(({ name, reason }) => `${name} ${reason}`))).toEqual(
      new Set([`SessionEnd ${sessionEndReason}`]),
    );
  });

  it("tells of a turn that the model's error ended: Claude Code", async () => {
    const session = await startAgentSession(claudeCode);
    const { project, cwd, env, receiver } = session;
    await session.wire("init");
    const argv = [programs.get(claudeCode.clis[0].package) ?? "", ...interactiveArgs(session, claudeCode)];
    const terminal = startAgentTerminal(project.home, argv, { cwd, env });
    await claudeCodeAtWork.start(terminal);
    await terminal.enter(promptFor({ failWith: 500 }));
    await project.until("the failure's delivery", () => receiver.requests.length === 2);
    await terminal.enter(claudeCodeAtWork.quit);
    await terminal.ended();
    const events = (await session.settled()).map(({ event }) => event);
    expect(events.map(({ name }) => name)).toEqual(["UserPromptSubmit", "StopFailure", "SessionEnd"]);
    expect(events[1]).toMatchObject({ level: "error", reason: "server_error" });
    expect(events[1]?.message).toContain("pretended failure 500");
  });
});
