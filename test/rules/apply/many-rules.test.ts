import { parseTree } from "jsonc-parser";
import { expect, it } from "vitest";
import { isEventAwaited } from "../../../src/rules/apply/match.ts";
import { parseRules } from "../../../src/rules/load.ts";
import { channelTypes } from "../../support/channels/all-types.ts";
import { growthProblem, timeOf } from "../../support/faults/outside-text/growth.ts";

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

it("asking which events thousands of rules wait for takes no longer than parsing them a few times", () => {
  const text = fileOf(256 * 1024);
  const loaded = parseRules(text, channelTypes);
  const rules = loaded.status === "good" ? loaded.rules.rules : [];
  expect(rules.length).toBeGreaterThan(2000);
  const events = [
    "Stop",
    "StopFailure",
    "SessionEnd",
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStop",
    "Notification",
  ];
  const least = (read: () => unknown): number => Math.min(...[1, 2, 3].map(() => Number(timeOf(read, text))));
  const parsing = least(() => parseTree(text));
  const asking = least(() => rules.map((rule) => events.map((event) => isEventAwaited([rule], "claude-code", event))));
  expect(asking).toBeLessThan(4 * parsing);
});
