import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const geminiCli: AgentRecipe = {
  agent: "gemini-cli",
  clis: [{ package: "@google/gemini-cli", version: "0.61.0", program: "node_modules/.bin/gemini" }],
  args: (prompt) => ["-p", prompt],
  env: (modelOrigin) => ({
    GEMINI_API_KEY: "pretended",
    GOOGLE_GEMINI_BASE_URL: modelOrigin,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    NO_BROWSER: "1",
  }),
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
};
