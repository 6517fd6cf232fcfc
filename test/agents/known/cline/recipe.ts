import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const cline: AgentRecipe = {
  agent: "cline",
  clis: [{ package: "cline", version: "3.0.65", program: "node_modules/.bin/cline" }],
  args: (prompt) => ["-P", "openai-compatible", "-m", "pretended", prompt],
  env: () => ({}),
  files: (modelOrigin) => ({
    ".cline/data/settings/providers.json": JSON.stringify({
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": {
          settings: {
            provider: "openai-compatible",
            apiKey: "sk-pretended",
            model: "pretended",
            baseUrl: `${modelOrigin}/v1`,
          },
          updatedAt: "2026-11-23T00:00:00.000Z",
          tokenSource: "manual",
        },
      },
    }),
    ".cline/data/settings/global-settings.json": JSON.stringify({ autoUpdateEnabled: false, telemetryOptOut: true }),
    // What it advertises at its start.
    ".cline/data/settings/cli-notices.json": JSON.stringify({
      shown: { "cline-cli-cline-pass-intro": true, "cline-cli-desktop-launch": true },
    }),
  }),
  daemon: "--cline-hub-daemon",
};
