import { expect, it } from "vitest";
import { inheritedSecrets } from "../../../src/pipeline/channel/call-channel.ts";
import { loadRules } from "../../../src/rules/load.ts";

it("knows what each channel has from the environment, however deep, and nothing else", async () => {
  const channels = {
    chat: { type: "slack", url: { env: "CHAT" } },
    hook: { type: "webhook", url: "https://in.example/x", secret: [{ env: "SIGN" }], headers: { A: { env: "A" } } },
    script: { type: "command", argv: ["env"], env: { B: { env: "CHAT" }, C: { file: "~/c" }, D: { env: "UNSET" } } },
  };
  const loaded = await loadRules(JSON.stringify({ channels, rules: [{ name: "all", notify: ["chat"] }] }));
  if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
  const env = { CHAT: "https://hooks.example/s3cret", SIGN: "whsec", A: "bearer", OTHER: "x", c: "y" };
  expect(inheritedSecrets(loaded.rules, env).map((secret) => secret.reveal())).toEqual([env.CHAT, "whsec", "bearer"]);
});
