import { expect, it } from "vitest";
import { agentNameHint } from "../../../src/commands/explain/agent-name-hint.ts";

it.each([
  ["drod", /unknown agent "drod".*did you mean "droid"\?/],
  ["claude_code", /did you mean "claude-code"\?/],
  ["cluade", /did you mean "claude-code"\?/],
  ["claude", /did you mean "claude-code"\?/],
  ["Droid", /did you mean "droid"\?/],
])("takes %s for a slip", (id, said) => {
  expect(agentNameHint(id)).toMatch(said);
});

it.each([undefined, "droid", "generic", "a-robot-of-my-own"])("has nothing to say about %s", (id) => {
  expect(agentNameHint(id)).toBeUndefined();
});
