import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const qwenCode: AgentRecipe = {
  agent: "qwen-code",
  clis: [{ package: "@qwen-code/qwen-code", version: "0.24.4", program: "node_modules/.bin/qwen" }],
  args: (prompt) => ["-p", prompt],
  env: (modelOrigin) => ({
    OPENAI_API_KEY: "sk-pretended",
    OPENAI_BASE_URL: `${modelOrigin}/v1`,
    OPENAI_MODEL: "pretended",
    NO_BROWSER: "1",
  }),
  files: () => ({
    ".qwen/settings.json": JSON.stringify({
      security: { auth: { selectedType: "openai" } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
};
