import { expect, it } from "vitest";
import { isEventAwaited } from "../../../src/rules/apply/match.ts";
import { parseRules } from "../../../src/rules/load.ts";
import type { Rule } from "../../../src/rules/rules.ts";
import { channelTypes } from "../../support/channels/all-types.ts";
import { growthProblem } from "../../support/faults/outside-text/growth.ts";

/** A rules file of about so many UTF-16 units. */
const fileOf = (length: number): string => {
  const rules = Array.from(
    { length: Math.ceil(length / 90) },
    (_, index) =>
      `{ "name": "rule ${index}", "when": { "event": "Sto${index}", "project": "p${index}" }, "notify": ["a"] }`,
  );
  return `{ "channels": { "a": { "type": "desktop" } }, "rules": [${rules.join(",\n")}] }`;
};

it("checking a rules file takes time that grows with its length", () => {
  expect(growthProblem((text) => parseRules(text, channelTypes), fileOf, 512 * 1024)).toBeUndefined();
});

it("asking which events thousands of rules wait for takes time that grows with their number", () => {
  const events = ["Stop", "StopFailure", "SessionEnd", "SessionStart", "UserPromptSubmit", "SubagentStop"];
  const rulesOf = (text: string): readonly Rule[] => {
    const loaded = parseRules(text, channelTypes);
    return loaded.status === "good" ? loaded.rules.rules : [];
  };
  expect(rulesOf(fileOf(512 * 1024)).length).toBeGreaterThan(5000);
  const ask = (text: string): unknown => {
    const rules = rulesOf(text);
    return events.map((event) => isEventAwaited(rules, "claude-code", event));
  };
  expect(growthProblem(ask, fileOf, 512 * 1024)).toBeUndefined();
});
