// A real agent asks for a command, and the person answers at its terminal: hookbell's list of waiting sessions must know it
// within two seconds, although only some of these answers come with a hook.
import { beforeAll, expect, it } from "vitest";
import { waitingSessions } from "../../src/attention/waiting.ts";
import { listSessions } from "../../src/outbox/sessions.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { codex } from "../agents/known/codex/recipe.ts";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../support/agents/agent-terminal.ts";
import { promptFor, type Act } from "../support/agents/pretend-model.ts";
import type { AgentCli, AgentRecipe } from "../support/agents/recipe.ts";
import { describeWithParts } from "../support/parts.ts";

const [newestClaude] = claudeCode.clis;
const claude = {
  recipe: claudeCode,
  start: (terminal: AgentTerminal) => terminal.until(/\? for shortcuts/),
  question: /Do you want to proceed\?/,
  act: {},
};
const agents: {
  recipe: AgentRecipe;
  cli: AgentCli;
  start(terminal: AgentTerminal): Promise<void>;
  question: RegExp;
  act: Partial<Act>;
  /** The key of the answer "No". */
  no: string;
}[] = [
  { ...claude, cli: newestClaude, no: "4" },
  { ...claude, cli: { ...newestClaude, version: "2.1.197" }, no: "3" },
  {
    recipe: codex,
    cli: codex.clis[0],
    async start(terminal) {
      await terminal.until(/Trust all and continue/);
      terminal.press("Down");
      await terminal.until(/› 2\. Trust all/);
      terminal.press("Enter");
      await terminal.until(/Ask Codex to do anything/);
    },
    question: /Yes, proceed/,
    no: "n",
    // Within its sandbox it asks for nothing.
    act: { callWith: { sandbox_permissions: "require_escalated", justification: "as told" } },
  },
];

const cases = agents.flatMap((agent) => {
  // Each answer is one key, so it has one moment.
  const answers = { allows: "Enter", "presses Escape": "Escape", denies: agent.no };
  const name = `${agent.recipe.agent} ${agent.cli.version}`;
  return Object.entries(answers).map(([answer, key]) => ({ ...agent, name, answer, key }));
});

const isWaiting = ({ project }: AgentSession): boolean =>
  waitingSessions(listSessions(project.layout), Date.now()).length > 0;

describeWithParts("an answer at the terminal", terminalParts, () => {
  const programs = new Map<string, string>();
  beforeAll(async () => {
    for (const { cli } of agents) programs.set(cli.version, await installAgentCli(cli));
  });

  it.each(cases)("is known within two seconds: $name, where the person $answer", async (given) => {
    const { recipe, cli, start, question, act, key } = given;
    const session = await startAgentSession(recipe);
    const { project } = session;
    await session.wire("init");
    const argv = [programs.get(cli.version) ?? "", ...interactiveArgs(session, recipe)];
    const terminal = startAgentTerminal(project.home, argv, { cwd: session.cwd, env: session.env });
    await start(terminal);
    await terminal.enter(promptFor({ run: "touch first", say: "Made it.", ...act }));
    await terminal.until(question);
    await project.until("the waiting session", () => isWaiting(session));
    // Claude Code ignores keys that come as soon as its question does.
    let pressedAt = 0;
    const press = (): void => {
      pressedAt = Date.now();
      terminal.press(key);
    };
    const pressing = setInterval(press, 3000);
    await project.until("the answer", () => !isWaiting(session)).finally(() => clearInterval(pressing));
    const tookMs = Date.now() - pressedAt;
    process.stdout.write(`${given.name}, ${given.answer}: ${tookMs} ms\n`);
    expect(tookMs).toBeLessThan(2500);
  });
});
