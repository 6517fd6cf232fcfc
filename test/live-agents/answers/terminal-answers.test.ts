// A real agent asks for a command, and the person answers at its terminal: hookbell's list of waiting sessions must know it
// within two seconds, although few of these answers come with a hook. With `RECORD_FIGURES=1`, the times go to delays.json,
// from which `npm run generate` makes the table in docs/reference/AGENTS.md.
import { beforeAll, expect, it } from "vitest";
import { waitingSessions } from "../../../src/sessions/waiting.ts";
import { listSessions } from "../../../src/outbox/sessions.ts";
import { claudeCode } from "../../agents/known/claude-code/recipe.ts";
import { codex } from "../../agents/known/codex/recipe.ts";
import { copilotCli } from "../../agents/known/copilot-cli/recipe.ts";
import { droid } from "../../agents/known/droid/recipe.ts";
import { geminiCli } from "../../agents/known/gemini-cli/recipe.ts";
import { opencode } from "../../agents/known/opencode/recipe.ts";
import { qwenCode } from "../../agents/known/qwen-code/recipe.ts";
import { clisHere, installAgentCli } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../../support/agents/agent-terminal.ts";
import { inTerminal } from "../../support/agents/in-terminal.ts";
import { keepFigure } from "../../support/agents/keep-figure.ts";
import { promptFor, type Act } from "../../support/agents/pretend-model.ts";
import type { AgentCli, AgentRecipe } from "../../support/agents/recipe.ts";
import { describeWithParts } from "../../support/parts.ts";

interface Asking {
  recipe: AgentRecipe;
  cli: AgentCli;
  /** Gets through what the agent asks before the first prompt. */
  start(terminal: AgentTerminal): Promise<void>;
  question: RegExp;
  /** What makes it ask. */
  act?: Partial<Act>;
  /** The keys of the answer "No", separated by blanks. */
  no: string;
  /** How it starts a subagent that asks. */
  delegates?: Record<string, string>;
}

const newestOf = (recipe: AgentRecipe): AgentCli => clisHere(recipe).at(-1) ?? recipe.clis[0];
const claude = {
  recipe: claudeCode,
  cli: newestOf(claudeCode),
  start: (terminal: AgentTerminal) => terminal.until(/\? for shortcuts/),
  question: /Do you want to proceed\?/,
  no: "4",
  delegates: { subagent_type: "general-purpose" },
};
const agents: Asking[] = [
  claude,
  { ...claude, cli: { ...claude.cli, version: "2.1.197" }, no: "3" },
  {
    recipe: codex,
    cli: newestOf(codex),
    start: (terminal) => inTerminal.codex.start(terminal, true),
    question: /Yes, proceed/,
    // Within its sandbox it asks for nothing.
    act: { callWith: { sandbox_permissions: "require_escalated", justification: "as told" } },
    no: "n",
    delegates: { agent_type: "default" },
  },
  {
    recipe: droid,
    cli: newestOf(droid),
    async start(terminal) {
      await terminal.until(/Trust this folder\?[^]*Enter to confirm/);
      terminal.press("Enter");
      await terminal.until(/\? for help/);
    },
    question: /Yes, allow/,
    no: "Down Down Enter",
  },
  {
    recipe: geminiCli,
    cli: newestOf(geminiCli),
    start: (terminal) => terminal.until(/\? for shortcuts/),
    question: /Allow execution/,
    no: "3",
  },
  {
    recipe: qwenCode,
    cli: newestOf(qwenCode),
    start: (terminal) => terminal.until(/Type your message/),
    question: /Yes, allow once|Allow execution/,
    no: "4",
  },
  {
    recipe: copilotCli,
    cli: newestOf(copilotCli),
    async start(terminal) {
      await terminal.until(/Do you trust the files/);
      terminal.press("Enter");
      await terminal.until(/Interactive · Manual Approval/);
    },
    question: /Do you want to run this command\?/,
    no: "3 Enter",
  },
  {
    recipe: opencode,
    cli: newestOf(opencode),
    start: (terminal) => inTerminal.opencode.start(terminal),
    question: /Permission required/,
    no: "Right Right Enter",
  },
];

/** The command outlasts the test. */
const long: Act = { run: "touch first; sleep 100", say: "Made it." };
const cases = agents.flatMap((agent) => {
  const name = `${agent.recipe.agent} ${agent.cli.version}`;
  const act: Act = { ...long, ...agent.act };
  const own = [
    { answer: "allows a long command", keys: "Enter", act },
    { answer: "presses Escape", keys: "Escape", act },
    { answer: "denies", keys: agent.no, act },
  ];
  const { delegates } = agent;
  const helper: Act = { delegate: promptFor(act), say: "Told it.", ...(delegates && { callWith: delegates }) };
  const ofSubagent = delegates === undefined ? [] : [{ answer: "allows a subagent's", keys: "Enter", act: helper }];
  return [...own, ...ofSubagent].map((each) => ({ ...agent, name, ...each }));
});

interface Delay {
  agent: string;
  version: string;
  /** What the person did. */
  answer: string;
  tookMs: number;
}

const file = new URL("delays.json", import.meta.url);
const keyOf = ({ agent, version, answer }: Omit<Delay, "tookMs">): string => `${agent} ${version} ${answer}`;
const delayOf = ({ recipe, cli, answer }: (typeof cases)[number]): Omit<Delay, "tookMs"> => ({
  agent: recipe.agent,
  version: cli.version,
  answer,
});

const isWaiting = ({ project }: AgentSession): boolean =>
  waitingSessions(listSessions(project.layout), Date.now()).length > 0;

describeWithParts("an answer at the terminal", terminalParts, () => {
  const programs = new Map<AgentCli, string>();
  beforeAll(async () => {
    for (const { cli } of agents) programs.set(cli, await installAgentCli(cli));
  });

  it.each(cases)("is known within two seconds: $name, where the person $answer", async (given) => {
    const { recipe, cli, start, question, act, keys } = given;
    const session = await startAgentSession(recipe);
    const { project } = session;
    await session.install("init");
    const argv = [programs.get(cli) ?? "", ...interactiveArgs(session, recipe)];
    const terminal = startAgentTerminal(project.home, argv, { cwd: session.cwd, env: session.env });
    await start(terminal);
    await terminal.enter(promptFor(act));
    await terminal.until(question);
    await project.until("the waiting session", () => isWaiting(session));
    // Claude Code ignores keys that come as soon as its question does.
    let pressedAt = 0;
    const press = (): void => {
      if (!terminal.shows(question)) return;
      for (const key of keys.split(" ")) {
        pressedAt = Date.now();
        terminal.press(key);
      }
    };
    const pressing = setInterval(press, 3000);
    await project.until("the answer", () => !isWaiting(session)).finally(() => clearInterval(pressing));
    const tookMs = Date.now() - pressedAt;
    process.stdout.write(`${given.name}, ${given.answer}: ${tookMs} ms\n`);
    const order = cases.map((each) => keyOf(delayOf(each)));
    keepFigure(file, { ...delayOf(given), tookMs }, keyOf, order);
    expect(pressedAt).toBeGreaterThan(0);
    expect(tookMs).toBeLessThan(2500);
  });
});
