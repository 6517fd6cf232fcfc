import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const copilotCli: AgentRecipe = {
  agent: "copilot-cli",
  clis: [{ package: "@github/copilot", version: "1.0.102", program: "node_modules/.bin/copilot" }],
  args: (prompt) => ["--allow-all-tools", "-p", prompt],
  env: (modelOrigin) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `${modelOrigin}/v1`,
    COPILOT_PROVIDER_API_KEY: "sk-pretended",
    COPILOT_MODEL: "pretended",
  }),
  files: () => ({}),
};
