import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const cline: AgentRecipe = {
  agent: "cline",
  clis: [{ package: "cline", version: "3.0.65", program: "node_modules/.bin/cline" }],
  prepareArgs: (modelOrigin) => [
    "auth",
    "-p",
    "openai",
    "-k",
    "sk-pretended",
    "-m",
    "pretended",
    "-b",
    `${modelOrigin}/v1`,
  ],
  args: (prompt) => ["-P", "openai-compatible", "-m", "pretended", prompt],
  env: () => ({}),
  files: () => ({}),
  daemon: "--cline-hub-daemon",
};
