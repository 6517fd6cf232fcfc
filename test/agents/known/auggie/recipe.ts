import type { AgentRecipe } from "../../../support/agents/recipe.ts";

export const auggie: AgentRecipe = {
  agent: "auggie",
  clis: [{ package: "@augmentcode/auggie", version: "0.36.0", program: "node_modules/.bin/auggie" }],
  args: (prompt) => ["--print", "--quiet", prompt],
  env: (modelOrigin) => ({
    AUGMENT_DISABLE_AUTO_UPDATE: "1",
    AUGMENT_SESSION_AUTH: JSON.stringify({ accessToken: "pretended", tenantURL: `${modelOrigin}/`, scopes: ["email"] }),
  }),
  files: () => ({
    // It fetches ripgrep from GitHub at its start unless there is a file of this name.
    [`.augment/binaries/ripgrep/v14.1.1-${process.platform}-${process.arch}/rg`]: "",
  }),
};
