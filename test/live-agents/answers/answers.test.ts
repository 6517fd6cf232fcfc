// Real agents that wait for an answer: what the phone, the terminal and the end of the time come to.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { listQuestions } from "../../../src/answers/questions.ts";
import { claudeCode } from "../../agents/known/claude-code/recipe.ts";
import { codex } from "../../agents/known/codex/recipe.ts";
import { kilo } from "../../agents/known/kilo/recipe.ts";
import { opencode } from "../../agents/known/opencode/recipe.ts";
import { qwenCode } from "../../agents/known/qwen-code/recipe.ts";
import { installAgentCli } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../../support/agents/agent-terminal.ts";
import { promptFor, type Act } from "../../support/agents/pretend-model.ts";
import type { AgentCli, AgentRecipe } from "../../support/agents/recipe.ts";
import { awayParts, lockedScreen } from "../../support/desktop/bus-services.ts";
import { describeWithParts } from "../../support/parts.ts";
import {
  ann,
  botToken,
  startPretendTelegram,
  type PretendTelegram,
  type ShownMessage,
} from "../../support/receivers/pretend-telegram.ts";
import { addSender } from "../../../src/answers/senders.ts";

interface Answering {
  recipe: AgentRecipe;
  cli: AgentCli;
  start(terminal: AgentTerminal): Promise<void>;
  /** The question in its terminal. */
  question: RegExp;
  /** Whether it is there while the hook waits. */
  showsDialog: boolean;
  callWith?: Act["callWith"];
}

const [newestClaude] = claudeCode.clis;
const claude: Answering = {
  recipe: claudeCode,
  cli: newestClaude,
  start: (terminal) => terminal.until(/\? for shortcuts/),
  question: /Do you want to proceed\?/,
  showsDialog: true,
};
const agents: Answering[] = [
  claude,
  { ...claude, cli: { ...newestClaude, version: "2.1.197" } },
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
    showsDialog: false,
    // Within its sandbox it asks for nothing.
    callWith: { sandbox_permissions: "require_escalated", justification: "as told" },
  },
  {
    recipe: qwenCode,
    cli: qwenCode.clis[0],
    start: (terminal) => terminal.until(/Type your message/),
    question: /Yes, allow once|Allow execution/,
    showsDialog: false,
  },
  {
    recipe: opencode,
    cli: opencode.clis[0],
    start: (terminal) => terminal.until(/Ask anything/),
    question: /Permission required/,
    showsDialog: true,
  },
  {
    recipe: kilo,
    cli: kilo.clis[0],
    async start(terminal) {
      await terminal.until(/Ask anything/);
      // It shows its prompt before it takes keys.
      await sleep(5000);
    },
    question: /Permission required/,
    showsDialog: true,
  },
];

interface Asked {
  session: AgentSession;
  terminal: AgentTerminal;
  telegram: PretendTelegram;
  message: ShownMessage;
  hasMade(name: string): boolean;
}

const programs = new Map<string, string>();

/** The agent in a terminal, which asks for a command, and the Telegram of a person who has locked the screen. */
async function ask(
  { recipe, cli, start, callWith }: Answering,
  act: Act = { run: "touch first", say: "Made it." },
  answers: object = {},
): Promise<Asked> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const session = await startAgentSession(recipe);
  const { project } = session;
  const bot = { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true };
  project.writeRules({
    answers: { allow: ["Bash(touch *)", "run_shell_command(touch *)", "bash(touch *)"], holdFor: "2m", ...answers },
    channels: { phone: bot, receiver: { type: "webhook", url: `${session.receiver.origin}/events`, payload: true } },
    rules: [
      { name: "asks", when: { event: ["PermissionRequest", "Notification"] }, notify: ["phone", "receiver"] },
      { name: "rest", notify: ["receiver"] },
    ],
  });
  addSender(project.layout, "phone", { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  await session.install("init");
  const env = { ...session.env, ...(await lockedScreen()) };
  const argv = [programs.get(cli.version) ?? "", ...interactiveArgs(session, recipe)];
  const terminal = startAgentTerminal(project.home, argv, { cwd: session.cwd, env });
  await start(terminal);
  await terminal.enter(promptFor({ ...act, callWith: { ...callWith, ...act.callWith } }));
  await project.until("the question in Telegram", () => telegram.messages.length > 0 && telegram.isPolled());
  const [message] = telegram.messages;
  if (message === undefined) throw new Error("no message");
  return { session, terminal, telegram, message, hasMade: (name) => existsSync(join(session.cwd, name)) };
}

const buttonOf = (message: ShownMessage, label: string): string =>
  message.buttons.find(({ text }) => text === label)?.callback_data ?? `no button ${label}`;

/** Claude Code ignores keys that come as soon as its question does. */
async function pressUntil(
  { session, terminal }: Asked,
  key: string,
  what: string,
  isDone: () => boolean,
): Promise<void> {
  const pressing = setInterval(() => isDone() || terminal.press(key), 1500);
  await session.project.until(what, isDone).finally(() => clearInterval(pressing));
}

const parts = [...terminalParts, ...awayParts];
const each = agents.map((agent) => ({ ...agent, name: `${agent.recipe.agent} ${agent.cli.version}` }));

describeWithParts("an answer to a real agent", parts, () => {
  beforeAll(async () => {
    for (const { cli } of agents) programs.set(cli.version, await installAgentCli(cli));
  });

  it.each(each)("allows from the phone: $name", async (agent) => {
    const asked = await ask(agent);
    const { session, terminal, telegram, message, hasMade } = asked;
    expect(message.text).toContain("touch first");
    if (agent.showsDialog) await terminal.until(agent.question);
    telegram.tap(ann, message, buttonOf(message, "Allow"));
    await session.project.until("the command", () => hasMade("first"));
    await session.project.until("the edit", () => /allowed by Ann in phone after/.test(message.text));
    expect(telegram.toasts).toEqual([expect.stringMatching(/^Allowed by Ann in phone after/)]);
  });

  it.each(each)("denies with words, which the model reads: $name", async (agent) => {
    const { session, telegram, message, hasMade } = await ask(agent);
    telegram.write(ann, 77, "Use a temporary folder.", message);
    await session.project.until("the edit", () => /denied by Ann in phone after/.test(message.text));
    const isRead = (): boolean => session.model.requests.some(({ body }) => body.includes("Use a temporary folder."));
    await session.project.until("the model's turn", isRead);
    expect(hasMade("first")).toBe(false);
  });

  it.each(each)("leaves the question to the terminal when no answer comes: $name", async (agent) => {
    const asked = await ask(agent, undefined, { holdFor: "10s" });
    const { session, terminal, message, hasMade } = asked;
    await session.project.until("the edit", () => /no answer came after/.test(message.text));
    await terminal.until(agent.question);
    expect(hasMade("first")).toBe(false);
    await pressUntil(asked, "Enter", "the command", () => hasMade("first"));
  });

  it.each(each.filter(({ showsDialog }) => showsDialog))(
    "goes by the terminal when that is first, and says so on the phone: $name",
    async (agent) => {
      const asked = await ask(agent);
      const { session, message, hasMade } = asked;
      await pressUntil(asked, "Enter", "the command", () => hasMade("first"));
      await session.project.until("the edit", () => /answered at the terminal after/.test(message.text));
      await session.project.until("no open question", () => listQuestions(session.project.layout).length === 0);
      expect(message.buttons).toEqual([]);
    },
  );

  it.each(each.filter(({ showsDialog }) => !showsDialog))(
    "is over when the person interrupts the agent: $name",
    async (agent) => {
      const { session, terminal, message, hasMade } = await ask(agent);
      await sleep(1000);
      terminal.press("Escape");
      await session.project.until("the edit", () => /answered at the terminal after/.test(message.text));
      expect(hasMade("first")).toBe(false);
    },
  );

  it.each(each.filter(({ recipe }) => recipe === claudeCode))(
    "answers a question by an option: $name",
    async (agent) => {
      const options = [
        { label: "Red", description: "Warm" },
        { label: "Blue", description: "Cold" },
      ];
      const questions = [{ question: "Which colour?", header: "Colour", options, multiSelect: false }];
      const { session, terminal, telegram, message } = await ask(agent, {
        use: "AskUserQuestion",
        callWith: { questions },
        say: "Fine.",
      });
      await terminal.until(/Which colour\?[^]*Type/);
      telegram.tap(ann, message, buttonOf(message, "Blue"));
      await session.project.until("the edit", () => /answered by Ann in phone after/.test(message.text));
      const isRead = (): boolean =>
        session.model.requests.some(({ body }) => /Which colour\?[^]{0,20}=[^]{0,5}Blue/.test(body));
      await session.project.until("the model's turn", isRead);
      expect(telegram.messages).toHaveLength(1);
    },
  );

  it.each(each.filter(({ recipe }) => recipe === claudeCode))(
    "answers a question of several choices by their numbers: $name",
    async (agent) => {
      const options = ["Lint", "Tests", "Types"].map((label) => ({ label, description: `Run ${label}` }));
      const questions = [{ question: "Which checks?", header: "Checks", options, multiSelect: true }];
      const { session, terminal, telegram, message } = await ask(agent, {
        use: "AskUserQuestion",
        callWith: { questions },
        say: "Fine.",
      });
      await terminal.until(/Which checks\?[^]*Lint/);
      expect(message.buttons.map(({ text }) => text)).toEqual(["Mute 1h"]);
      expect(message.text).toContain("reply with numbers from 1 to 3");
      telegram.write(ann, 77, "1, 3", message);
      await session.project.until("the edit", () => /answered by Ann in phone after/.test(message.text));
      const isRead = (): boolean =>
        session.model.requests.some(({ body }) => /Which checks\?[^]{0,20}=[^]{0,5}Lint, Types/.test(body));
      await session.project.until("the model's turn", isRead);
    },
  );
});
