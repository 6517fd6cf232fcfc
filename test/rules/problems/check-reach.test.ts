import { describe, expect, it } from "vitest";
import { loadRules } from "../../../src/rules/load.ts";
import { everyRow } from "../../support/rows.ts";

async function warningsOf(file: object): Promise<string[]> {
  const loaded = await loadRules(JSON.stringify(file));
  return [...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings].map(({ message }) => message);
}

describe("a rule behind a final one", () => {
  it("is warned of if it can never match", () =>
    everyRow<[name: string, first: object, second: object, isUnread: boolean]>(
      [
        ["all events", {}, { event: "Stop" }, true],
        ["one of its events", { event: ["Stop", "StopFailure"] }, { event: "Stop", project: "shop" }, true],
        ["a pattern", { cwd: "/work/*" }, { cwd: "/work/shop", level: "error" }, true],
        ["the same pattern", { project: "shop-*" }, { project: "shop-*" }, true],
        ["the same expression", { reason: { matches: "fail" } }, { reason: { matches: "fail" } }, true],
        ["another event", { event: "Stop" }, { event: "StopFailure" }, false],
        ["more events", { event: "Stop" }, { event: ["Stop", "StopFailure"] }, false],
        ["no condition", { event: "Stop" }, {}, false],
        ["another field", { event: "Stop", project: "shop" }, { event: "Stop" }, false],
        ["another pattern", { project: "shop-*" }, { project: "shop*" }, false],
        ["anything but", { project: { not: "shop" } }, { project: { not: "api" } }, false],
        ["anything but another", { project: { not: "shop" } }, { project: "api" }, true],
        // Frequent events match only rules that name them.
        ["a frequent event", {}, { event: "PreToolUse" }, false],
      ],
      async ([, first, second, isUnread]) => {
        const rules = [
          { name: "first", when: first, notify: ["a"], final: true },
          { name: "second", when: second, notify: ["a"] },
        ];
        const told = await warningsOf({ channels: { a: { type: "desktop" } }, rules });
        const unread = 'this rule is never read: "first" before it is final and matches all that it matches';
        expect(told).toEqual(isUnread ? [unread] : []);
      },
    ));
});

describe("a channel with answers", () => {
  it("is warned of if no question can come to it", () =>
    everyRow<[name: string, more: { rules: object[] }, isUnasked: boolean]>(
      [
        ["only ends of turns", { rules: [{ when: { event: "Stop" }, notify: ["a"] }] }, true],
        ["only failures", { rules: [{ when: { level: "error" }, notify: ["a"] }] }, true],
        ["questions", { rules: [{ when: { level: "attention" }, notify: ["a"] }] }, false],
        ["questions of one agent", { rules: [{ when: { agent: "codex" }, notify: ["a"] }] }, false],
        [
          "questions that a final rule takes",
          {
            rules: [
              { when: { event: "PermissionRequest" }, notify: [], final: true },
              { when: { event: ["PermissionRequest", "Stop"] }, notify: ["a"] },
            ],
          },
          true,
        ],
        [
          "questions that no one has answered for a while",
          {
            rules: [
              { when: { event: "Stop" }, notify: ["a"] },
              { when: { level: "attention" }, notify: ["b"], escalate: [{ after: "2m", notify: ["a"] }] },
            ],
          },
          false,
        ],
      ],
      async ([, more, isUnasked]) => {
        const channels = { a: { type: "desktop", answers: true }, b: { type: "sound" } };
        const told = await warningsOf({ answers: {}, channels, projectFiles: ["b"], ...more });
        const unasked = "no rule notifies this channel of a question, so there is nothing to answer here";
        expect(told.filter((each) => each === unasked)).toHaveLength(isUnasked ? 1 : 0);
      },
    ));

  it("may be asked by a repository's file, or for the next prompt", async () => {
    const base = {
      channels: { a: { type: "desktop", answers: true } },
      rules: [{ when: { event: "Stop" }, notify: ["a"] }],
    };
    expect(await warningsOf({ ...base, answers: {}, projectFiles: ["a"] })).toEqual([]);
    expect(await warningsOf({ ...base, answers: { nextPrompt: 5 } })).toEqual([]);
  });
});
