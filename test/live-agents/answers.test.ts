import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { listQuestions } from "../../src/dispatch/answers/questions.ts";
import { addSender } from "../../src/dispatch/answers/senders.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../support/agents/agent-terminal.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import { describeWithParts } from "../support/parts.ts";
import { ann, botToken, startPretendTelegram, type PretendTelegram } from "../support/receivers/pretend-telegram.ts";

const [cli] = claudeCode.clis;
let program = "";

beforeAll(async () => {
  program = await installAgentCli(cli);
});

interface Asked {
  session: AgentSession;
  terminal: AgentTerminal;
  telegram: PretendTelegram;
  /** What the agent makes once it may. */
  hasRun(): boolean;
}

const question = /Do you want to proceed\?/;

/** Claude Code in a terminal, which asks for a command, and the user's Telegram, where the question is shown. */
async function ask(): Promise<Asked> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const session = await startAgentSession(claudeCode);
  const bot = { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true };
  session.project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always", holdFor: "2m" },
    channels: { phone: bot, receiver: { type: "webhook", url: `${session.receiver.origin}/events`, payload: true } },
    rules: [
      { name: "asks", when: { event: "PermissionRequest" }, notify: ["phone", "receiver"] },
      { name: "rest", notify: ["receiver"] },
    ],
  });
  addSender(session.project.layout, "phone", { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  await session.wire("init");
  const args = interactiveArgs(session, claudeCode);
  const terminal = startAgentTerminal(session.project.home, [program, ...args], { cwd: session.cwd, env: session.env });
  await terminal.until(/\? for shortcuts/);
  await terminal.enter(promptFor({ run: "touch made-by-the-agent", say: "Made it." }));
  await session.project.until("the question in Telegram", () => telegram.messages.length > 0);
  // Both are open at the same time.
  await terminal.until(question);
  return { session, terminal, telegram, hasRun: () => existsSync(join(session.cwd, "made-by-the-agent")) };
}

describeWithParts(`answers to Claude Code ${cli.version}`, terminalParts, () => {
  it("allows from the phone", async () => {
    const { session, telegram, hasRun } = await ask();
    const [message] = telegram.messages;
    expect(message?.text).toContain("touch made-by-the-agent");
    const allow = message?.buttons.find(({ text }) => text === "Allow");
    if (message === undefined || allow === undefined) throw new Error("no button");
    telegram.tap(ann, message, allow.callback_data);
    await session.project.until("the command", hasRun);
    await session.project.until("the edit", () => message.earlier.length > 0);
    expect(message.text).toMatch(/allowed by Ann in phone after/);
    expect(telegram.toasts).toEqual([expect.stringMatching(/^Allowed by Ann in phone after/)]);
  });

  it("denies with words, which the model reads", async () => {
    const { session, terminal, telegram, hasRun } = await ask();
    const [message] = telegram.messages;
    telegram.write(ann, 77, "Use a temporary folder.", message);
    await session.project.until("the edit", () => message?.earlier.length === 1);
    expect(message?.text).toMatch(/denied by Ann in phone after/);
    await terminal.until(/Use a temporary folder/);
    expect(hasRun()).toBe(false);
  });

  it("goes by the terminal's answer when that is first, and says so on the phone", async () => {
    const { session, terminal, telegram, hasRun } = await ask();
    const [message] = telegram.messages;
    // It ignores keys that come as soon as its question does.
    const pressing = setInterval(() => hasRun() || terminal.press("Enter"), 1500);
    await session.project.until("the command", hasRun).finally(() => clearInterval(pressing));
    await session.project.until("the edit", () => message?.earlier.length === 1);
    expect(message?.text).toMatch(/answered at the terminal after/);
    await session.project.until("no open question", () => listQuestions(session.project.layout).length === 0);
  });
});
