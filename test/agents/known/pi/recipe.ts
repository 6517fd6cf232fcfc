import { pathWithNode22, type AgentRecipe } from "../../../support/agents/recipe.ts";

/** pi itself asks for nothing; an extension like this one, which is its own example of a gate, makes it ask. */
const gate = `export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash" || !ctx.hasUI) return undefined;
    const choice = await ctx.ui.select("Run this command?\\n\\n  " + event.input.command, ["Yes", "No"]);
    return choice === "Yes" ? undefined : { block: true, reason: "The user said no" };
  });
}
`;

export const pi: AgentRecipe = {
  agent: "pi",
  clis: [{ package: "@earendil-works/pi-coding-agent", version: "1.6.0", program: "node_modules/.bin/pi" }],
  args: (prompt) => ["-p", prompt],
  // It needs Node 22.19.
  env: () => ({ PATH: pathWithNode22(), PI_OFFLINE: "1" }),
  files: (modelOrigin) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        pretended: {
          baseUrl: `${modelOrigin}/v1`,
          apiKey: "sk-pretended",
          api: "openai-completions",
          models: [{ id: "pretended", name: "Pretended" }],
        },
      },
    }),
    ".pi/agent/extensions/gate.js": gate,
    ".pi/agent/settings.json": JSON.stringify({ defaultProvider: "pretended", defaultModel: "pretended" }),
  }),
};
