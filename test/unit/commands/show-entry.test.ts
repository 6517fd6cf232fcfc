import { expect, it } from "vitest";
import { showNewest } from "../../../src/commands/show-entry.ts";
import type { JournalEntry } from "../../../src/outbox/journal.ts";

const plain = { isColor: false };

function removed(what: string): JournalEntry {
  return { at: "2026-01-31T18:00:00.000Z", kind: "removed", what, why: "a test" };
}

it("puts into words no more of a long journal than it shows, and the one before", () => {
  const many = 10_000;
  const shown = 40;
  let worded = 0;
  const entries = Array.from({ length: many }, (_, index) => ({
    entry: {
      ...removed(`entry ${index}`),
      get why() {
        worded += 1;
        return "a test";
      },
    },
    about: {},
  }));
  worded = 0;
  const lines = showNewest(entries, shown, plain);
  expect(lines).toHaveLength(shown);
  expect(lines[0]).toContain(`entry ${many - shown} `);
  expect(lines.at(-1)).toContain(`entry ${many - 1} `);
  expect(worded).toBe(shown + 1);
});

it.each<[what: string[], most: number, expected: RegExp[]]>([
  [["a", "b", "b", "b"], 1, [/removed {3}b · a test; 3 times since /]],
  [["a", "a", "b"], 2, [/a · a test; 2 times since /, /b · a test$/]],
  [["a", "b", "a"], Infinity, [/a · a test$/, /b · a test$/, /a · a test$/]],
  [["a"], 0, []],
  [[], 3, []],
])("%j, at most %d lines", (what, most, expected) => {
  const lines = showNewest(
    what.map((each) => ({ entry: removed(each), about: {} })),
    most,
    plain,
  );
  expect(lines.map((line) => line.trimEnd())).toEqual(expected.map((each) => expect.stringMatching(each)));
});

it("calls hookbell's own notice by a person's words", () => {
  const entry: JournalEntry = {
    at: "2026-01-31T18:00:00.000Z",
    kind: "attempt",
    event: "evt_notice0123",
    channel: "phone",
    outcome: "delivered",
    attempt: 1,
    ms: 5,
    next: "done",
  };
  const about = { agent: "hookbell", project: "hookbell", event: "HookbellNotice" };
  expect(showNewest([{ entry, about }], 1, plain)[0]).toContain("phone delivered: hookbell's own notice (try 1, 5 ms)");
});
