// What the rules file may say about the platform, and what is warned of.
import { describe, expect, it } from "vitest";
import { loadRules } from "../../../src/rules/load.ts";

const warnedOf = async (platform: unknown, when: object = { event: "UsageDigest" }): Promise<string[]> => {
  const rules = [{ when, notify: ["desktop"] }];
  const loaded = await loadRules(JSON.stringify({ channels: { desktop: { type: "desktop" } }, rules, platform }));
  const problems = loaded.status === "broken" ? loaded.problems : [];
  return [...problems, ...loaded.warnings].map(({ path, message }) => `${path}: ${message}`);
};

describe("the platform's settings", () => {
  it("are good with everything in them", async () => {
    const platform = {
      baseUrl: "https://api.example.com",
      appUrl: "http://127.0.0.1:8080",
      apiKey: { env: "PLATFORM_KEY" },
      digest: { at: "09:00" },
      budgets: [{ credits: 1000, period: "week", thresholds: [80], user: "ann@example.com" }, { credits: 5 }],
      readiness: true,
      installs: true,
    };
    expect(await warnedOf(platform, {})).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ["an unknown setting", { key: "x" }, /^platform\.key: there is no setting "key" here/],
    ["an address that is none", { baseUrl: "api.example.com" }, /^platform\.baseUrl: the URL /],
    [
      "an address without encryption",
      { baseUrl: "http://api.example.com" },
      /^platform\.baseUrl: http:\/\/ to another/,
    ],
    ["a key in plain text", { apiKey: "0123456789abcdef" }, /^platform\.apiKey: anyone who can read this file/],
    ["a time that is none", { digest: { at: "9am" } }, /^platform\.digest\.at: expected a time such as 09:00/],
    [
      "a budget of a user's model",
      { budgets: [{ credits: 1, user: "a", model: "b" }] },
      /^platform\.budgets\.0\.model: expected "user" or "model"/,
    ],
    ["a budget of nothing", { budgets: [{ credits: 0 }] }, /^platform\.budgets\.0\.credits/],
    ["an unknown period", { budgets: [{ credits: 1, period: "year" }] }, /^platform\.budgets\.0\.period/],
  ])("with %s are told so", async (_, platform, expected) => {
    expect(await warnedOf(platform, {})).toEqual([expect.stringMatching(expected)]);
  });

  it.each<[object, object, RegExp | undefined]>([
    [{ digest: { at: "09:00" } }, { event: "Stop" }, /^platform\.digest: no rule sends UsageDigest to a channel/],
    [{ digest: { at: "09:00" } }, { event: "Usage*" }, undefined],
    [{ digest: { at: "09:00" } }, { event: "UsageDigest", agent: "codex" }, /UsageDigest/],
    [{ budgets: [{ credits: 1 }] }, { event: "Stop" }, /CreditBudget/],
    [{ budgets: [] }, { event: "Stop" }, undefined],
    [{ readiness: true }, { event: "Stop" }, /ReadinessReport or ReadinessRegression/],
    [{ readiness: true }, { event: "ReadinessRegression" }, undefined],
    [{ readiness: false }, { event: "Stop" }, undefined],
    [{ installs: true }, { event: "Stop" }, /ComputerInstall/],
    [{ installs: true }, { event: "ComputerInstall", level: "error" }, undefined],
  ])("%j with a rule for %j", async (platform, when, expected) => {
    expect(await warnedOf(platform, when)).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)]);
  });
});
