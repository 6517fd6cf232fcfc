// The channels by which a person wants to be asked, in the order of the rules.
import { expect, it } from "vitest";
import { questionChannels } from "../../../src/rules/apply/match.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { everyRow } from "../../support/rows.ts";

async function channelsOf(rules: object[]): Promise<string[]> {
  const channels = Object.fromEntries(["a", "b", "c"].map((name) => [name, { type: "desktop" }]));
  const loaded = await loadRules(JSON.stringify({ channels, rules }));
  if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
  return questionChannels(loaded.rules.rules);
}

it("are those that rules name for questions, and what stands in for them", () =>
  everyRow<[what: string, rules: object[], expected: string[]]>(
    [
      ["no rules", [], []],
      ["each channel once, in order", [{ notify: ["b", "a"] }, { notify: ["a", "c"] }], ["b", "a", "c"]],
      ["a fallback after its channel", [{ notify: ["b"], fallback: ["a"] }, { notify: ["c"] }], ["b", "a", "c"]],
      ["another event", [{ when: { event: "Stop" }, notify: ["a"] }, { notify: ["b"] }], ["b"]],
      ["another level", [{ when: { level: "error" }, notify: ["a"] }, { notify: ["b"] }], ["b"]],
      ["the level of questions", [{ when: { level: "attention" }, notify: ["a"] }], ["a"]],
      [
        "both kinds of questions, notifications first",
        [
          { when: { event: "PermissionRequest" }, notify: ["a"] },
          { when: { event: "Notification" }, notify: ["b"] },
        ],
        ["b", "a"],
      ],
      ["a project, which may be any", [{ when: { project: "shop" }, notify: ["a"] }], ["a"]],
      ["an agent, which may be any", [{ when: { agent: "codex" }, notify: ["a"] }], ["a"]],
      ["a final rule", [{ notify: ["a"], final: true }, { notify: ["b"] }], ["a"]],
      [
        "a final rule that may not match",
        [{ when: { project: "shop" }, notify: ["a"], final: true }, { notify: ["b"] }],
        ["a", "b"],
      ],
    ],
    async ([_what, rules, expected]) => {
      expect(await channelsOf(rules)).toEqual(expected);
    },
  ));
