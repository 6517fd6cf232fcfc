// Real agents that post their events by their own http hooks, in a home without hookbell.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { addSender } from "../../src/answers/senders.ts";
import { objectOf } from "../../src/model/json.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { copilotCli } from "../agents/known/copilot-cli/recipe.ts";
import { qwenCode } from "../agents/known/qwen-code/recipe.ts";
import { onlyQuestion } from "../integration/answers/asking.ts";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { type AgentSession, startAgentSession } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { ann, botToken, startPretendTelegram } from "../support/receivers/pretend-telegram.ts";
import { startServerProcess } from "../support/usage/server-process.ts";

interface Posting {
  recipe: AgentRecipe;
  settings: string;
  env?: Record<string, string>;
}

const claude: Posting = { recipe: claudeCode, settings: ".claude/settings.json" };

/** Adds the machine, and gives the agent what the command has printed. */
async function install(session: AgentSession, { recipe, settings, env }: Posting): Promise<void> {
  const { project } = session;
  const server = await startServerProcess(project);
  onTestFinished(async () => void (await server.end("SIGKILL")));
  const added = await project.command([
    "remote",
    "add",
    "box",
    "--by",
    "http",
    "--url",
    server.url,
    "--agent",
    recipe.agent,
  ]);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const secret = /HOOKBELL_SECRET=(\S+)/.exec(added.stdout)?.[1] ?? "";
  const printed = JSON.parse(/^\{[^]*^\}/m.exec(added.stdout)?.[0] ?? "") as object;
  const before = JSON.parse(session.read(settings) ?? "{}") as object;
  session.write(settings, JSON.stringify({ ...before, ...printed }));
  Object.assign(session.env, { HOOKBELL_SECRET: secret, ...env });
}

const names = ({ project }: AgentSession): unknown[] =>
  project.journal().flatMap(({ kind, event }) => (kind === "event" ? [objectOf(event).name] : []));

it.each<[string, Posting]>([
  ["Claude Code", claude],
  ["Qwen Code", { recipe: qwenCode, settings: ".qwen/settings.json" }],
  [
    "Copilot CLI",
    { recipe: copilotCli, settings: ".copilot/hooks/hookbell.json", env: { COPILOT_HOOK_ALLOW_LOCALHOST: "1" } },
  ],
])("%s posts the end of a turn", async (_name, posting) => {
  const session = await startAgentSession(posting.recipe);
  await install(session, posting);
  const program = await installAgentCli(posting.recipe.clis[0]);
  const ended = await session.run(program, promptFor({ say: "The shop sells again." }));
  expect(ended.code).toBe(0);
  expect(ended.stderr).not.toMatch(/\bhooks?\b/i);
  await session.project.until("the turn's end", () => names(session).includes("Stop"));
  const told = session.project.journal().flatMap(({ kind, event }) => (kind === "event" ? [objectOf(event)] : []));
  expect(told.filter(({ name }) => name === "Stop")).toMatchObject([{ agent: posting.recipe.agent, host: "box" }]);
});

it("Claude Code runs a command that was allowed on the phone", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const session = await startAgentSession(claudeCode);
  const { project } = session;
  project.writeRules({
    answers: { allow: ["Bash(touch *)"], hold: "always" },
    channels: { phone: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true } },
    rules: [{ name: "asks", when: { event: ["PermissionRequest", "Stop"] }, notify: ["phone"] }],
  });
  mkdirSync(project.layout.root, { recursive: true });
  addSender(project.layout, "phone", { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  await install(session, claude);
  const program = await installAgentCli(claudeCode.clis[0]);
  const run = session.run(program, promptFor({ run: "touch made" }));
  await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.at(-1);
  const allow = message?.buttons.find(({ text }) => text === "Allow");
  if (message === undefined || allow === undefined) throw new Error("no button to allow");
  telegram.tap(ann, message, allow.callback_data);
  expect((await run).code).toBe(0);
  expect(existsSync(join(session.cwd, "made"))).toBe(true);
});
