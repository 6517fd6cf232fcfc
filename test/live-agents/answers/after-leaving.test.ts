// You are at the terminal, a question comes, and you get up: the phone's message has buttons, and the terminal's dialog works all the while.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { listQuestions, readAnswer } from "../../../src/answers/questions.ts";
import { addSender } from "../../../src/answers/senders.ts";
import { installAgentCli } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession } from "../../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts } from "../../support/agents/agent-terminal.ts";
import { inTerminal, type InTerminal } from "../../support/agents/in-terminal.ts";
import { promptFor } from "../../support/agents/pretend-model.ts";
import { awayParts, personAtDesk } from "../../support/desktop/bus-services.ts";
import { describeWithParts } from "../../support/parts.ts";
import { ann, botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";

const agents: InTerminal[] = [inTerminal["claude-code"], inTerminal.opencode];
const each = agents.map((agent) => ({ ...agent, name: agent.recipe.agent }));
/** How long after each question the person gets up; the last is more than the twenty seconds for which other hooks wait to be shown. */
const leavesAfterMs = [500, 5000, 22_000];
const awayAfterMs = 3000;

async function sitDown({ recipe, start }: InTerminal, program: string) {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const desk = await personAtDesk();
  const session = await startAgentSession(recipe);
  const { project, cwd } = session;
  project.writeRules({
    answers: { allow: ["Bash(touch *)", "bash(touch *)"], hold: "away" },
    channels: {
      phone: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true },
      receiver: { type: "webhook", url: `${session.receiver.origin}/events` },
    },
    rules: [
      {
        name: "asks",
        when: { event: ["PermissionRequest", "Notification"] },
        notify: ["phone"],
        away: `${awayAfterMs / 1000}s`,
      },
      { name: "all", notify: ["receiver"] },
    ],
  });
  addSender(project.layout, "phone", { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  await session.install("init");
  const argv = [program, ...interactiveArgs(session, recipe)];
  const terminal = startAgentTerminal(project.home, argv, { cwd, env: { ...session.env, ...desk.env } });
  await start(terminal, true);
  const isWaiting = (): boolean => {
    const question = listQuestions(project.layout).find(({ id }) => readAnswer(project.layout, id) === undefined);
    return question?.showsDialog === true;
  };
  const turns = (): number => session.receiver.requests.filter(({ body }) => body.includes('"name":"Stop"')).length;
  const hasMade = (name: string): boolean => existsSync(join(cwd, name));
  return { telegram, desk, project, terminal, isWaiting, turns, hasMade };
}

describeWithParts("a question that comes while you are at the terminal", [...terminalParts, ...awayParts], () => {
  const programs = new Map<string, string>();
  beforeAll(async () => {
    for (const { recipe } of agents) programs.set(recipe.agent, await installAgentCli(recipe.clis[0]));
  });

  it.each(each)("has buttons on the phone once you have left: $name", async (agent) => {
    const { telegram, desk, project, terminal, isWaiting, turns, hasMade } = await sitDown(
      agent,
      programs.get(agent.name) ?? "",
    );
    let withButtons = 0;
    for (const [round, afterMs] of leavesAfterMs.entries()) {
      const name = `made-${round}`;
      await terminal.enter(promptFor({ run: `touch ${name}`, say: `Made ${name}.` }));
      await terminal.until(agent.question);
      await project.until("a hook that waits", isWaiting);
      await sleep(afterMs);
      expect(telegram.messages).toHaveLength(round);
      desk.leave();
      await project.until("the message", () => telegram.messages.length > round && telegram.isPolled());
      const message = telegram.messages[round];
      const labels = message?.buttons.map(({ text }) => text) ?? [];
      withButtons += Number(labels.includes("Allow") && labels.includes("Deny"));
      // The dialog is still there for someone who comes back.
      expect(terminal.shows(agent.question)).toBe(true);
      desk.comeBack();
      const allow = message?.buttons.find(({ text }) => text === "Allow")?.callback_data ?? "no button";
      if (message !== undefined) telegram.tap(ann, message, allow);
      await project.until("the command", () => hasMade(name));
      await project.until("the turn's end", () => turns() > round);
    }
    console.log(`${agent.name}: ${withButtons} of ${leavesAfterMs.length} messages have buttons`);
    expect(withButtons).toBe(leavesAfterMs.length);
  });

  it.each(each)("is answered in the terminal's dialog while the hook waits: $name", async (agent) => {
    const { telegram, project, terminal, isWaiting, turns, hasMade } = await sitDown(
      agent,
      programs.get(agent.name) ?? "",
    );
    const rounds = 3;
    let blocked = 0;
    for (let round = 0; round < rounds; round += 1) {
      const name = `made-${round}`;
      await terminal.enter(promptFor({ run: `touch ${name}`, say: `Made ${name}.` }));
      await project.until("a hook that waits", isWaiting);
      await terminal.until(agent.question);
      // A dialog that came only when the hook had ended would find no one waiting.
      blocked += Number(!isWaiting());
      // Claude Code ignores keys that come as soon as its question does.
      const pressing = setInterval(() => hasMade(name) || terminal.press("Enter"), 1500);
      await project.until("the command", () => hasMade(name)).finally(() => clearInterval(pressing));
      await project.until("the hook's end", () => !isWaiting());
      await project.until("the turn's end", () => turns() > round);
    }
    console.log(`${agent.name}: ${blocked} of ${rounds} prompts blocked`);
    expect({ blocked, messages: telegram.messages.length }).toEqual({ blocked: 0, messages: 0 });
  });
});
