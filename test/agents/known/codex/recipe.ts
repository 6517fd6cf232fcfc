import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const codex: AgentRecipe = {
  agent: "codex",
  clis: [{ package: "@openai/codex", version: "0.171.0", program: "node_modules/.bin/codex" }],
  // In a terminal a person approves the hooks once.
  args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
  env: () => ({ PRETEND_KEY: "sk-pretended" }),
  files: (modelOrigin) => ({
    ".codex/config.toml": `model = "pretended"
model_provider = "pretended"

[model_providers.pretended]
name = "Pretended"
base_url = "${modelOrigin}/v1"
wire_api = "responses"
env_key = "PRETEND_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`,
  }),
  daemon: "app-server",
};
