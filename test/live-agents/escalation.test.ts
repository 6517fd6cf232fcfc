// Two real agents wait for a permission while an escalation runs; the one that is answered at its terminal never escalates.
import { beforeAll, expect, it } from "vitest";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { qwenCode } from "../agents/known/qwen-code/recipe.ts";
import { installAgentCli } from "../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession, type AgentSession } from "../support/agents/agent-session.ts";
import { startAgentTerminal, terminalParts, type AgentTerminal } from "../support/agents/agent-terminal.ts";
import { promptFor } from "../support/agents/pretend-model.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { describeWithParts } from "../support/parts.ts";

const programs = new Map<AgentRecipe, string>();
beforeAll(async () => {
  for (const recipe of [claudeCode, qwenCode]) programs.set(recipe, await installAgentCli(recipe.clis[0]));
});

interface Seat {
  session: AgentSession;
  terminal: AgentTerminal;
  hasRun(): boolean;
}

/** `host` has the rules and the queue; the agent has a home of its own. */
async function sitDown(recipe: AgentRecipe, isReady: RegExp, rules: object, host?: AgentSession): Promise<Seat> {
  const session = await startAgentSession(recipe);
  session.project.writeRules(rules);
  await session.install("init");
  const { HOOKBELL_CONFIG_DIR = "", HOOKBELL_STATE_DIR = "" } = (host ?? session).env;
  const env = { ...session.env, HOOKBELL_CONFIG_DIR, HOOKBELL_STATE_DIR };
  const argv = [programs.get(recipe) ?? "", ...interactiveArgs(session, recipe)];
  const terminal = startAgentTerminal(session.project.home, argv, { cwd: session.cwd, env });
  await terminal.until(isReady);
  return { session, terminal, hasRun: () => session.read("work/shop-web/made-by-the-agent") !== undefined };
}

describeWithParts("an escalation", terminalParts, () => {
  it("goes on for the agent that waits, and stops for the one that was answered at its terminal", async () => {
    const { receiver } = await startAgentSession(claudeCode);
    const webhook = (path: string): object => ({ type: "webhook", url: `${receiver.origin}/${path}` });
    const rules = {
      channels: { desk: webhook("desk"), phone: webhook("phone") },
      rules: [
        {
          name: "needs me",
          when: { event: "PermissionRequest" },
          notify: ["desk"],
          escalate: [{ after: "30s", notify: ["phone"] }],
        },
      ],
    };
    const answered = await sitDown(claudeCode, /\? for shortcuts/, rules);
    const { project } = answered.session;
    const left = await sitDown(qwenCode, /Type your message/, rules, answered.session);
    const prompt = promptFor({ run: "touch made-by-the-agent", say: "Made it." });
    const toldAt = (path: string): string[] =>
      receiver.requests
        .filter(({ path: at }) => at === `/${path}`)
        .map(({ body }) => (JSON.parse(body) as { data: { event: { agent: string } } }).data.event.agent);

    await left.terminal.enter(prompt);
    await answered.terminal.enter(prompt);
    await project.until("both questions", () => toldAt("desk").length === 2);
    // It ignores keys that come as soon as its question does.
    const pressing = setInterval(() => answered.hasRun() || answered.terminal.press("Enter"), 1500);
    await project.until("the command", answered.hasRun).finally(() => clearInterval(pressing));
    expect(toldAt("phone")).toEqual([]);
    await project.until("the escalation", () => toldAt("phone").length > 0);

    const isCancelled = (entry: object): boolean => "by" in entry && entry.by === "answered";
    const cancelled = project.journal().filter(isCancelled);
    expect(cancelled).toMatchObject([{ kind: "attention", channel: "phone", verdict: "drop" }]);
    expect(left.hasRun()).toBe(false);
    expect([toldAt("desk").toSorted(), toldAt("phone")]).toEqual([["claude-code", "qwen-code"], ["qwen-code"]]);
  });
});
