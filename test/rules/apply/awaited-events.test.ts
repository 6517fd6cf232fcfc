import { describe, expect, it } from "vitest";
import { builtInRules } from "../../../src/rules/built-in.ts";
import { loadRules } from "../../../src/rules/load.ts";
import type { Rule } from "../../../src/rules/rules.ts";
import { isEventAwaited } from "../../../src/rules/apply/match.ts";

const names = [
  "Notification",
  "PermissionRequest",
  "Stop",
  "StopFailure",
  "SubagentStop",
  "SessionEnd",
  "SessionStart",
];

async function rulesOf(...rules: object[]): Promise<Rule[]> {
  const loaded = await loadRules(JSON.stringify({ channels: { log: { type: "command", argv: ["true"] } }, rules }));
  if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
  return loaded.rules.rules;
}
const awaited = (rules: readonly Rule[], agent = "droid"): string[] =>
  names.filter((name) => isEventAwaited(rules, agent, name));
const notify = ["log"];

describe("isEventAwaited", () => {
  const rows: [what: string, rules: object[], expected: string[]][] = [
    ["no rules", [], []],
    ["a rule without conditions", [{ notify }], names],
    ["one name", [{ when: { event: "Stop" }, notify }], ["Stop"]],
    ["several names", [{ when: { event: ["Stop", "SessionEnd"] }, notify }], ["Stop", "SessionEnd"]],
    ["a glob", [{ when: { event: "Session*" }, notify }], ["SessionEnd", "SessionStart"]],
    ["an expression", [{ when: { event: { matches: "^S.*Stop$" } }, notify }], ["SubagentStop"]],
    [
      "a not",
      [{ when: { event: { not: ["Stop*", "Session*", "*Request"] } }, notify }],
      ["Notification", "SubagentStop"],
    ],
    ["no one to tell", [{ when: { event: "Stop" }, notify: [] }], []],
    ["other conditions", [{ when: { event: "Stop", project: "shop-*", reason: "x" }, notify }], ["Stop"]],
    ["another agent", [{ when: { event: "Stop", agent: "codex" }, notify }], []],
    ["this agent", [{ when: { event: "Stop", agent: ["droid", "codex"] }, notify }], ["Stop"]],
    [
      "levels",
      [{ when: { level: ["attention", "error"] }, notify }],
      ["Notification", "PermissionRequest", "StopFailure", "SessionEnd"],
    ],
    ["a level that few have", [{ when: { level: "success" }, notify }], ["Notification", "Stop"]],
    [
      "all levels but the least",
      [{ when: { event: "S*", level: { not: "info" } }, notify }],
      ["Stop", "StopFailure", "SessionEnd"],
    ],
    [
      "a final rule for the usual level",
      [
        { when: { level: "info" }, notify: [], final: true },
        { when: { event: "Session*" }, notify },
      ],
      ["SessionEnd"],
    ],
    [
      "a final rule that notifies no channel",
      [
        { when: { event: "SubagentStop" }, notify: [], final: true },
        { when: { event: "*Stop" }, notify },
      ],
      ["Stop"],
    ],
    [
      "a final rule that may not hold",
      [
        { when: { event: "SubagentStop", project: "x" }, notify: [], final: true },
        { when: { event: "*Stop" }, notify },
      ],
      ["Stop", "SubagentStop"],
    ],
    [
      "a final rule of another agent",
      [
        { when: { agent: "codex" }, notify: [], final: true },
        { when: { event: "Stop" }, notify },
      ],
      ["Stop"],
    ],
  ];
  it.each(rows)("reads %s", async (_what, rules, expected) => {
    expect(awaited(await rulesOf(...rules))).toEqual(expected);
  });

  it("knows what the built-in rules are about", async () => {
    expect(awaited((await builtInRules()).rules)).toEqual([
      "Notification",
      "PermissionRequest",
      "Stop",
      "StopFailure",
      "SessionEnd",
    ]);
  });
});
