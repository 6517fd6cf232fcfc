import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const pretendKey = "sk-ant-pretended-00000000000000000000";

export const claudeCode: AgentRecipe = {
  agent: "claude-code",
  clis: [{ package: "@anthropic-ai/claude-code", version: "2.1.332", program: "node_modules/.bin/claude" }],
  args: (prompt) => ["-p", prompt],
  env: (modelOrigin) => ({
    ANTHROPIC_BASE_URL: modelOrigin,
    ANTHROPIC_API_KEY: pretendKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
    DISABLE_AUTOUPDATER: "1",
  }),
  files: () => ({}),
};
