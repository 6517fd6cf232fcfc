import { nowhere, type AgentRecipe } from "../../../support/agents/recipe.ts";

export const droid: AgentRecipe = {
  agent: "droid",
  clis: [
    { package: "droid", version: "0.215.0", program: "node_modules/.bin/droid" },
    // The newer Droid has no wrapper package that finds its parts; the part for one machine runs by itself.
    {
      package: "@factory/cli-linux-x64",
      version: "0.225.2",
      program: "node_modules/@factory/cli-linux-x64/bin/droid",
      onlyOn: "linux-x64",
    },
  ],
  args: (prompt) => ["exec", prompt],
  env: () => ({
    FACTORY_AIRGAP_ENABLED: "1",
    FACTORY_API_KEY: "fk-pretended",
    FACTORY_DISABLE_KEYRING: "1",
    FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
    // Empty ones are refused.
    FACTORY_API_BASE_URL: nowhere,
    FACTORY_API_BASE_URL_EU: nowhere,
    FACTORY_APP_BASE_URL: nowhere,
    FACTORY_TELEMETRY_INGEST_BASE_URL: nowhere,
  }),
  files: (modelOrigin) => ({
    ".factory/settings.json": JSON.stringify({
      customModels: [
        {
          model: "pretended",
          displayName: "Pretended",
          baseUrl: `${modelOrigin}/v1`,
          apiKey: "sk-pretended",
          provider: "generic-chat-completion-api",
          maxOutputTokens: 8000,
          maxContextLimit: 128_000,
        },
      ],
      sessionDefaultSettings: { model: "custom:Pretended-0" },
      cloudSessionSync: false,
    }),
  }),
};
