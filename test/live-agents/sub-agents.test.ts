// Real agents that start a subagent: its end is told apart from the turn's, and the turn's is told once.
import { describe, expect, it } from "vitest";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { copilotCli } from "../agents/known/copilot-cli/recipe.ts";
import { droid } from "../agents/known/droid/recipe.ts";
import { opencode } from "../agents/known/opencode/recipe.ts";
import type { AgentRecipe } from "../support/agents/recipe.ts";
import { startAgentSession } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";

interface Helped {
  recipe: AgentRecipe;
  /** How its tool names the subagent. */
  callWith: Record<string, string>;
  /** In any order: a subagent may end before the turn that started it. */
  work: Record<string, unknown>[];
  prompts?: number;
}

const helped = { name: "SubagentStop", message: "There is nothing to do." };

describe("a subagent of the agent's own", () => {
  const rows: Helped[] = [
    {
      recipe: claudeCode,
      callWith: { subagent_type: "general-purpose" },
      // The turn ends while the subagent works; the agent says more when that is done, as a turn of its own.
      work: [
        { name: "Stop", runningHelpers: 1 },
        { ...helped, subagent: "general-purpose" },
        { name: "Stop", runningHelpers: 0 },
      ],
    },
    {
      recipe: copilotCli,
      callWith: { agent_type: "general-purpose", name: "helper" },
      work: [{ ...helped, subagent: "general-purpose" }, { name: "Stop" }],
    },
    {
      recipe: { ...droid, args: (prompt) => ["exec", "--auto", "high", prompt] },
      // The subagent is a session of its own, with a prompt, a stop and an end; the turn ends while it works.
      callWith: { subagent_type: "worker", description: "look around" },
      work: [
        { name: "Stop", runningHelpers: 1 },
        { ...helped, subagent: "look around" },
        { name: "Stop", runningHelpers: 0 },
      ],
      // Without a terminal it reports no prompt of its own.
      prompts: 0,
    },
    { recipe: opencode, callWith: { subagent_type: "general" }, work: [helped, { name: "Stop" }] },
  ];
  const tries = rows.flatMap((row) => clisHere(row.recipe).map((cli) => ({ ...row, cli })));
  it.each(tries)(
    "is told apart from the turn: $cli.package $cli.version",
    async ({ recipe, cli, callWith, work, prompts = 1 }) => {
      const program = await installAgentCli(cli);
      const session = await startAgentSession(recipe);
      await session.install("init");
      const ended = await session.run(
        program,
        promptFor({ delegate: "Look around.", say: "All looked at.", callWith }),
      );
      expect(ended.code).toBe(0);
      const events = (await session.settled()).map(({ event }) => event);
      const told = events.filter(({ name }) => name === "Stop" || name === "SubagentStop");
      expect(told).toHaveLength(work.length);
      expect(told).toEqual(
        expect.arrayContaining(
          work.map((event) => expect.objectContaining({ agent: recipe.agent, ...event }) as unknown),
        ),
      );
      expect(events.filter(({ name }) => name === "UserPromptSubmit")).toHaveLength(prompts);
    },
  );
});
