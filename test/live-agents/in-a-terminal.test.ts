// Real agents in a terminal: a question names the command and arrives while it stands, of those that tell of it; then the
// turn and the end.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { auggie } from "../agents/known/auggie/recipe.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { codex } from "../agents/known/codex/recipe.ts";
import { copilotCli } from "../agents/known/copilot-cli/recipe.ts";
import { droid } from "../agents/known/droid/recipe.ts";
import { geminiCli } from "../agents/known/gemini-cli/recipe.ts";
import { kilo } from "../agents/known/kilo/recipe.ts";
import { opencode } from "../agents/known/opencode/recipe.ts";
import { pi } from "../agents/known/pi/recipe.ts";
import { qwenCode } from "../agents/known/qwen-code/recipe.ts";
import type { AgentCli, AgentRecipe } from "../support/agents/recipe.ts";
import { interactiveArgs, startAgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../support/agents/agent-terminal.ts";
import { describeWithParts } from "../support/parts.ts";
import { promptFor, type Act } from "../support/agents/pretend-model.ts";

interface InTerminal {
  recipe: AgentRecipe;
  /** Gets through what the agent asks before the first prompt. */
  start(terminal: AgentTerminal): Promise<void>;
  /** What makes it ask; the file is made when the person says yes. */
  act: Act;
  /** The question before a command is run. */
  question: RegExp;
  /** The key of the answer "Yes"; Enter where there is none. */
  yes?: string;
  quit: string;
  /** The event that tells of the question, where the agent has one. */
  asked?: Record<string, unknown>;
  /** Events between the answer and the turn's end, such as that it was answered. */
  answered: Record<string, unknown>[];
  /** The session's end, as far as the agent tells it before it is gone. */
  end: Record<string, unknown>[];
}

const act: Act = { run: "touch made-by-the-agent", say: "Made it." };
const request = "run `touch made-by-the-agent`?";
const permission = { name: "Notification", notificationType: "permission_prompt", level: "attention", request };
/** The agent's Notification follows, and repeats it. */
const permissionAtOnce = { name: "PermissionRequest", level: "attention", request };

const inTerminal: InTerminal[] = [
  {
    recipe: claudeCode,
    start: (terminal) => terminal.until(/\? for shortcuts/),
    act,
    question: /Do you want to proceed\?/,
    quit: "/exit",
    asked: permissionAtOnce,
    answered: [],
    end: [{ name: "SessionEnd", reason: "prompt_input_exit" }],
  },
  {
    recipe: droid,
    async start(terminal) {
      await terminal.until(/Trust this folder\?[^]*Enter to confirm/);
      terminal.press("Enter");
      await terminal.until(/\? for help/);
    },
    act,
    question: /Yes, allow/,
    quit: "/quit",
    asked: { ...permission, message: "Factory CLI needs permission to execute 1 tool(s)" },
    answered: [],
    end: [{ name: "SessionEnd", reason: "other" }],
  },
  {
    recipe: codex,
    async start(terminal) {
      // Without this, it skips hooks that no one has looked at.
      await terminal.until(/Trust all and continue/);
      terminal.press("Down");
      await terminal.until(/› 2\. Trust all/);
      terminal.press("Enter");
      await terminal.until(/Ask Codex to do anything/);
    },
    // Within its sandbox it asks for nothing.
    act: { ...act, callWith: { sandbox_permissions: "require_escalated", justification: "as told" } },
    question: /Yes, proceed/,
    quit: "/quit",
    asked: permissionAtOnce,
    answered: [],
    // Its daemon tells of that a minute after the person has left.
    end: [],
  },
  {
    recipe: geminiCli,
    start: (terminal) => terminal.until(/\? for shortcuts/),
    act,
    question: /Allow execution/,
    quit: "/quit",
    asked: permission,
    answered: [],
    end: [{ name: "SessionEnd", reason: "exit" }],
  },
  {
    recipe: qwenCode,
    start: (terminal) => terminal.until(/Type your message/),
    act,
    question: /Yes, allow once|Allow execution/,
    quit: "/quit",
    asked: permissionAtOnce,
    // It says the prompt once more after the answer.
    answered: [{ name: "UserPromptSubmit" }],
    end: [{ name: "SessionEnd", reason: "prompt_input_exit" }],
  },
  {
    recipe: copilotCli,
    async start(terminal) {
      await terminal.until(/Do you trust the files/);
      terminal.press("Enter");
      await terminal.until(/Interactive · Manual Approval/);
    },
    act,
    question: /Do you want to run this command\?/,
    quit: "/exit",
    // Its PermissionRequest is set up only where a rule names it.
    asked: permission,
    answered: [],
    end: [{ name: "SessionEnd", reason: "user_exit" }],
  },
  {
    recipe: opencode,
    start: (terminal) => terminal.until(/Ask anything/),
    act,
    question: /Permission required/,
    quit: "/exit",
    asked: permission,
    answered: [{ name: "permission.replied", isAnswer: true }],
    end: [],
  },
  {
    recipe: kilo,
    async start(terminal) {
      await terminal.until(/ctrl\+p commands/);
      // It shows its prompt before it takes keys.
      await sleep(5000);
    },
    act,
    question: /Permission required/,
    quit: "/exit",
    asked: permission,
    answered: [{ name: "permission.replied", isAnswer: true }],
    end: [],
  },
  {
    recipe: pi,
    start: (terminal) => terminal.until(/escape interrupt[^]*\(auto\)/),
    act,
    question: /Run this command\?/,
    quit: "/quit",
    asked: {
      name: "Notification",
      notificationType: "elicitation_dialog",
      level: "attention",
      request: "Run this command?\n\n  touch made-by-the-agent",
    },
    answered: [{ name: "ui_prompt_end", isAnswer: true }],
    end: [{ name: "SessionEnd", reason: "quit" }],
  },
  {
    recipe: auggie,
    async start(terminal) {
      await terminal.until(/Welcome to Augment Code![^]*esc to skip/);
      terminal.press("Escape");
      await terminal.until(/Skip indexing for this session[^]*Esc to skip/);
      terminal.press("4");
      await terminal.until(/\? to show shortcuts/);
    },
    // Its schema requires a folder and whether to wait.
    act: { ...act, callWith: { cwd: ".", wait: true } },
    question: /Tool Approval Required/,
    yes: "a",
    // At the end of a command's name, Enter only completes it.
    quit: "/exit ",
    answered: [],
    end: [{ name: "SessionEnd", reason: "other" }],
  },
];

const everyCli = inTerminal.flatMap((at) =>
  clisHere(at.recipe).map((cli): InTerminal & AgentCli => ({ ...at, ...cli })),
);

describeWithParts("an agent in a terminal", terminalParts, () => {
  const programs = new Map<string, string>();
  beforeAll(async () => {
    for (const cli of everyCli) programs.set(cli.package, await installAgentCli(cli));
  });

  it.each(everyCli)(
    "tells of its question, if it has an event for it, of the turn and of the end: $package $version",
    async (agent) => {
      const { recipe, start, question, yes = "Enter", quit, asked, answered, end } = agent;
      const session = await startAgentSession(recipe);
      const { project, cwd, env, receiver } = session;
      await session.install("init");
      const argv = [programs.get(agent.package) ?? "", ...interactiveArgs(session, recipe)];
      const terminal = startAgentTerminal(project.home, argv, { cwd, env });
      await start(terminal);

      await terminal.enter(promptFor(agent.act));
      await terminal.until(question);
      if (asked !== undefined) {
        // No one has answered yet: the person learns of the question while it stands.
        const isQuestion = (): boolean =>
          receiver.requests.some(({ body }) => body.includes(`"name":"${String(asked.name)}"`));
        await project.until("the question's delivery", isQuestion);
      }
      expect(session.read("work/shop-web/made-by-the-agent")).toBeUndefined();
      // Claude Code takes no key in the first moment of a question.
      await sleep(2000);
      terminal.press(yes);
      await project.until("the turn's delivery", () =>
        receiver.requests.some(({ body }) => body.includes('"name":"Stop"')),
      );
      expect(session.read("work/shop-web/made-by-the-agent")).toBe("");
      await terminal.until(/Made it\./);
      await terminal.enter(quit);
      await terminal.ended();

      const events = (await session.settled()).map(({ event }) => event);
      const common = { agent: recipe.agent, session: events[0]?.session, cwd };
      const expected = [
        { name: "UserPromptSubmit" },
        ...(asked === undefined ? [] : [asked]),
        ...answered,
        { name: "Stop", durationMs: expect.any(Number) as number },
        ...end,
      ];
      expect(events).toEqual(expected.map((event) => expect.objectContaining({ ...common, ...event }) as unknown));
    },
  );

  it("tells of a turn that the model's error ended: Claude Code", async () => {
    const session = await startAgentSession(claudeCode);
    const { project, cwd, env, receiver } = session;
    await session.install("init");
    const argv = [programs.get(claudeCode.clis[0].package) ?? "", ...interactiveArgs(session, claudeCode)];
    const terminal = startAgentTerminal(project.home, argv, { cwd, env });
    await terminal.until(/\? for shortcuts/);
    await terminal.enter(promptFor({ failWith: 500 }));
    await project.until("the failure's delivery", () => receiver.requests.length === 2);
    await terminal.enter("/exit");
    await terminal.ended();
    const events = (await session.settled()).map(({ event }) => event);
    expect(events.map(({ name }) => name)).toEqual(["UserPromptSubmit", "StopFailure", "SessionEnd"]);
    expect(events[1]).toMatchObject({ level: "error", reason: "server_error" });
    expect(events[1]?.message).toContain("pretended failure 500");
  });
});
