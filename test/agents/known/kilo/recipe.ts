import type { AgentRecipe } from "../../../support/agents/recipe.ts";
import { opencode } from "../opencode/recipe.ts";

/** A fork of opencode. npm's `@kilocode/cli` fetches this package, which has the program, in a script of its own. */
export const kilo: AgentRecipe = {
  ...opencode,
  agent: "kilo",
  clis: [
    {
      package: "@kilocode/cli-linux-x64",
      version: "7.7.9",
      program: "node_modules/@kilocode/cli-linux-x64/bin/kilo",
      onlyOn: "linux-x64",
    },
  ],
  env: () => ({ KILO_DISABLE_AUTOUPDATE: "1", KILO_DISABLE_MODELS_FETCH: "1", KILO_TELEMETRY_LEVEL: "off" }),
  files: (modelOrigin) =>
    Object.fromEntries(
      Object.entries(opencode.files(modelOrigin)).map(([path, text]) => [
        path.replace(".config/opencode/opencode.json", ".config/kilo/kilo.json"),
        text,
      ]),
    ),
};
