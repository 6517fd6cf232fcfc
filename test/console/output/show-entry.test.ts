import { expect, it } from "vitest";
import { createAbout } from "../../../src/console/output/about.ts";
import { loadPlainOf, showNewest } from "../../../src/console/output/show-entry.ts";
import type { JournalEntry } from "../../../src/outbox/journal.ts";

const plain = { isColor: false, plainOf: await loadPlainOf() };

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

it("shows no Markdown of an agent's last words, and leaves other texts as they are", () => {
  const message = "**All** tests pass.";
  const shown = (name: string): string | undefined => {
    const entry: JournalEntry = { at: "2026-01-31T18:00:00.000Z", kind: "event", event: { name, message } };
    return showNewest([{ entry, about: { agent: "droid", event: name } }], 1, plain)[0];
  };
  expect(shown("Stop")).toContain("Stop · All tests pass.");
  expect(shown("Notification")).toContain("Notification · **All** tests pass.");
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
  const about = { agent: "hookbell", place: "hookbell", event: "HookbellNotice" };
  expect(showNewest([{ entry, about }], 1, plain)[0]).toContain("phone delivered: hookbell's own notice (try 1, 5 ms)");
});

const attempt = (more: Record<string, unknown>): JournalEntry => ({
  at: "2026-01-31T18:00:00.000Z",
  kind: "attempt",
  event: "evt_1",
  channel: "team",
  outcome: "failed",
  reason: "gone",
  detail: "switched off",
  attempt: 1,
  ms: 0,
  delivery: "msg_a",
  next: "dead",
  ...more,
});
const about = { agent: "droid", place: "shop", event: "Notification", words: "May I?" };

it.each<[entries: [JournalEntry, words: string][], expected: string]>([
  [
    [[attempt({ isAsked: false }), "May I?"]],
    'team failed (gone): shop · Notification · "May I?" · switched off (not tried); given up: msg_a',
  ],
  [
    [
      [attempt({ isAsked: false }), "May I?"],
      [attempt({ isAsked: false, delivery: "msg_b" }), "And now?"],
    ],
    "team failed (gone): shop · Notification · switched off (not tried); given up; 2 times since",
  ],
  [
    [[attempt({ reason: "unknown", detail: "no answer" }), "May I?"]],
    '"May I?" · no answer (try 1, 0 ms); not sent again, because it might arrive twice; given up: msg_a',
  ],
  [
    [
      [attempt({ next: "retry", notBefore: "2026-01-31T18:00:02.000Z" }), "May I?"],
      [attempt({ next: "retry", attempt: 2, ms: 7, notBefore: "2026-01-31T18:00:09.000Z" }), "May I?"],
    ],
    '"May I?" · switched off (try 2, 7 ms); not before',
  ],
])("says of attempts what a person can act on (%#)", (entries, expected) => {
  const lines = showNewest(
    entries.map(([entry, words]) => ({ entry, about: { ...about, words } })),
    9,
    plain,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(expected);
});

it("tells sessions of one project apart, and names each line's event as other commands take it", () => {
  const aboutOf = createAbout();
  const entries = ["cart", "main"].flatMap((sessionName, index): JournalEntry[] => {
    const event = {
      id: `evt_${index}0123456789abcdef`,
      agent: "droid",
      project: "shop",
      sessionName,
      name: "Stop",
    };
    const told = { agent: "droid", project: "shop", sessionName, event: "Stop" };
    return [
      { at: "2026-01-31T18:00:00.000Z", kind: "event", event },
      attempt({ event: event.id, about: told, outcome: "delivered", delivery: `msg_${index}`, next: "done" }),
    ];
  });
  const lines = showNewest(
    entries.map((entry) => ({ entry, about: aboutOf(entry) })),
    9,
    plain,
  );
  expect(lines.map((line) => line.trimEnd())).toEqual([
    expect.stringMatching(/event {5}Droid · shop \(cart\) · Stop {2}evt_00123456$/),
    expect.stringMatching(/team delivered: shop \(cart\) · Stop · .* {2}evt_00123456$/),
    expect.stringMatching(/event {5}Droid · shop \(main\) · Stop {2}evt_10123456$/),
    expect.stringMatching(/team delivered: shop \(main\) · Stop · .* {2}evt_10123456$/),
  ]);
});
