// What agents record of how long their hooks took, as `hookbell hooks --cost` reads it: each hook here sleeps.
import { beforeAll, describe, expect, it } from "vitest";
import { recordedCosts } from "../../../src/wings/guard/cost/cost.ts";
import { claudeCode } from "../../agents/known/claude-code/recipe.ts";
import { copilotCli } from "../../agents/known/copilot-cli/recipe.ts";
import { droid } from "../../agents/known/droid/recipe.ts";
import { clisHere, installAgentCli } from "../../support/agents/agent-cli.ts";
import { startAgentSession } from "../../support/agents/agent-session.ts";
import { promptFor } from "../../support/agents/pretend-model.ts";
import type { AgentCli, AgentRecipe } from "../../support/agents/recipe.ts";

const short = "sleep 0.1";
const long = "sleep 0.3";
const inGroups = (...commands: string[]): object => [
  { hooks: commands.map((command) => ({ type: "command", command })) },
];

interface Recording {
  recipe: AgentRecipe;
  settings: string;
  hooks(stop: string, commands: readonly string[]): object;
  stop: string;
  /** What it records of two hooks of one event. */
  rows: { commands: string[]; atLeastMs: number }[];
}

const recordings: Recording[] = [
  {
    recipe: claudeCode,
    settings: ".claude/settings.json",
    hooks: (stop, commands) => ({ hooks: { [stop]: inGroups(...commands) } }),
    stop: "Stop",
    rows: [
      { commands: [long], atLeastMs: 300 },
      { commands: [short], atLeastMs: 100 },
    ],
  },
  {
    recipe: droid,
    settings: ".factory/hooks.json",
    hooks: (stop, commands) => ({ [stop]: inGroups(...commands) }),
    stop: "Stop",
    rows: [{ commands: [short, long], atLeastMs: 300 }],
  },
  {
    recipe: copilotCli,
    settings: ".copilot/hooks/slow.json",
    hooks: (stop, commands) => ({
      version: 1,
      hooks: { [stop]: commands.map((bash) => ({ type: "command", bash })) },
    }),
    stop: "agentStop",
    rows: [{ commands: [], atLeastMs: 400 }],
  },
];

const runs = recordings.flatMap((recording) =>
  clisHere(recording.recipe).map((cli): Recording & { cli: AgentCli } => ({ ...recording, cli })),
);

describe.each(runs)("$cli.package $cli.version", ({ recipe, cli, settings, hooks, stop, rows }) => {
  let program = "";
  beforeAll(async () => {
    program = await installAgentCli(cli);
  });

  it("records how long its hooks took", async () => {
    const session = await startAgentSession(recipe);
    session.write(settings, JSON.stringify(hooks(stop, [short, long])));
    expect(await session.run(program, promptFor({ say: "Done." }))).toMatchObject({ code: 0 });
    const { home, layout } = session.project;
    const costs = recordedCosts({ env: session.env, places: { home, stateDir: layout.root } }, Date.now());
    const { agent } = recipe;
    expect(costs).toEqual(
      rows.map(({ commands }): unknown => expect.objectContaining({ agent, event: stop, commands, calls: 1 })),
    );
    for (const [index, { atLeastMs }] of rows.entries()) {
      expect(costs[index]?.medianMs).toBeGreaterThanOrEqual(atLeastMs);
    }
  });
});
