// What became of an event whose message went out as a part of a summary.
import { expect, it } from "vitest";
import type { JournalEntry } from "../../src/outbox/journal.ts";
import { headlineOf, inSummaries, notificationsIn } from "../../src/overview/notifications.ts";

const at = (second: number): string => new Date(Date.parse("2026-11-29T12:00:00Z") + second * 1000).toISOString();
const own: JournalEntry[] = [
  { at: at(0), kind: "decision", event: "evt_1", deliveries: [{ id: "msg_1", channel: "phone", rule: "done" }] },
];
const summary: JournalEntry[] = [
  {
    at: at(1),
    kind: "decision",
    event: "evt_sum",
    deliveries: [{ id: "msg_sum", channel: "phone" }],
    summarises: ["msg_0", "msg_1"],
  },
  { at: at(2), kind: "attempt", event: "evt_sum", channel: "phone", delivery: "msg_sum", outcome: "delivered" },
];
const other: JournalEntry[] = [
  { at: at(1), kind: "decision", event: "evt_o", deliveries: [{ id: "msg_o", channel: "ops" }], summarises: ["msg_9"] },
  { at: at(2), kind: "attempt", event: "evt_o", channel: "ops", delivery: "msg_o", outcome: "delivered" },
];
const now = Date.parse(at(90));

it("an event in a summary was notified when the summary was, and of other summaries nothing is said", () => {
  const summaries = inSummaries([...own, ...other, ...summary], own);
  expect(summaries).toEqual(summary);
  expect(headlineOf(notificationsIn(own, summaries), now)).toMatch(/^Notified: phone \d\d:\d\d:\d\d$/);
  expect(headlineOf(notificationsIn(own, summary.slice(0, 1)), now)).toBe("Not notified yet: phone is being notified");
  expect(inSummaries([...own, ...other], own)).toEqual([]);
});
