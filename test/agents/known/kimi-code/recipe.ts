import { pathWithNode22, type AgentRecipe } from "../../../support/agents/recipe.ts";

export const kimiCode: AgentRecipe = {
  agent: "kimi-code",
  clis: [{ package: "@moonshot-ai/kimi-code", version: "2.1.0", program: "node_modules/.bin/kimi" }],
  args: (prompt) => ["-p", prompt],
  // It needs Node 22.19.
  env: () => ({ PATH: pathWithNode22(), KIMI_DISABLE_TELEMETRY: "1" }),
  files: (modelOrigin) => ({
    ".kimi-code/config.toml": `# pretended
default_model = "pretended"
telemetry = false

[providers.pretended]
type = "openai"
base_url = "${modelOrigin}/v1"
api_key = "sk-pretended"

[models.pretended]
provider = "pretended"
model = "pretended"
max_context_size = 128000
capabilities = ["tool_use"]
`,
  }),
};
