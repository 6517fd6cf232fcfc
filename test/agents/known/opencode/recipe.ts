import { nowhere, type AgentRecipe } from "../../../support/agents/recipe.ts";

export const opencode: AgentRecipe = {
  agent: "opencode",
  clis: [{ package: "opencode-ai", version: "1.18.33", program: "node_modules/.bin/opencode" }],
  // An argument with a space in it reaches the model in quotes.
  args: (prompt) => ["run", ...prompt.split(" ")],
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  files: (modelOrigin) => ({
    // It installs types for plug-ins at its first start.
    ".npmrc": `registry=${nowhere}\nfetch-retries=0\n`,
    ".config/opencode/opencode.json": JSON.stringify({
      provider: {
        pretended: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${modelOrigin}/v1`, apiKey: "sk-pretended" },
          models: { pretended: { name: "Pretended" } },
        },
      },
      model: "pretended/pretended",
      permission: { bash: "ask" },
    }),
  }),
};
