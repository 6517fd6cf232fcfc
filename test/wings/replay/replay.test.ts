// What was sent, replayed: under the same rules it is the same, under others it is what those would have sent.
import { join } from "node:path";
import { expect, it } from "vitest";
import { liveThrough, openBench } from "../../../bench/attention/attention.ts";
import { workingDay } from "../../../bench/attention/working-day.ts";
import type { CurrentRules } from "../../../src/pipeline/current-rules.ts";
import { compare } from "../../../src/wings/replay/compare.ts";
import { createHistory } from "../../../src/wings/replay/history.ts";
import { type Replayed, replayJournal } from "../../../src/wings/replay/run.ts";
import { deliveryIdOf } from "../../../src/outbox/deliveries/deliveries.ts";
import { byHand } from "../../../src/model/own-events.ts";
import { listJournal, writeJournal } from "../../../src/outbox/journal.ts";
import type { Layout } from "../../../src/outbox/layout.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { listNames } from "../../../src/system/files/files.ts";
import { temporaryFolder, temporaryState } from "../../support/project/temporary-state.ts";

const hour = 3_600_000;
const noon = new Date(2026, 10, 23, 12).getTime();

async function rulesOf(rules: object): Promise<CurrentRules> {
  const text = JSON.stringify(rules);
  const loaded = await loadRules(text);
  if (loaded.status === "broken") throw new Error(JSON.stringify(loaded.problems));
  return { rules: loaded.rules, origin: "file", problems: [], text };
}

async function replay(layout: Layout, rules: CurrentRules, from: number, to: number): Promise<Replayed> {
  const { stuckAfterMs } = rules.rules;
  const replayed = await replayJournal({
    layout,
    span: { from, to },
    rules,
    stuckAfterMs,
    home: temporaryFolder(),
    platform: "linux",
  });
  if (replayed === undefined) throw new Error("nothing has stopped it");
  return replayed;
}

const phone = { type: "ntfy", topic: "shop", token: { env: "NO_SUCH_VARIABLE" } };
const channels = { phone };

/** One event with what was decided and sent, as the dispatcher records it. */
function happened(
  layout: Layout,
  at: number,
  event: { id: string; name: string; agent?: string; session?: string; durationMs?: number; level?: string },
  { known = {}, isOlder, sentTo = [] }: { known?: object; isOlder?: boolean; sentTo?: string[] } = {},
): void {
  const full = {
    agent: "claude-code",
    session: "s1",
    cwd: "/srv/shop",
    project: "shop",
    host: "desk",
    level: "info",
    ...event,
    at: new Date(at).toISOString(),
  };
  const deliveries = sentTo.map((channel) => ({ id: deliveryIdOf(event.id, channel), channel, rule: "all" }));
  writeJournal(
    layout,
    at,
    { kind: "event", event: full, ...(isOlder === true ? {} : { known }) },
    { kind: "decision", event: event.id, rules: [], deliveries, silent: [] },
  );
  for (const { id, channel } of deliveries) {
    const attempt = { kind: "attempt" as const, delivery: id, event: event.id, channel, attempt: 1 };
    writeJournal(layout, at, { ...attempt, about: { project: "shop" }, outcome: "delivered", next: "done" });
  }
}

const question = { name: "PermissionRequest", level: "attention" } as const;

// test/endurance/replays.test.ts has a month.
it("sends the same under the same rules, after a quarter of an hour of sixteen agents and a person who comes and goes", async () => {
  const whole = workingDay();
  const day = { ...whole, calls: whole.calls.filter(({ at }) => at < hour / 4) };
  const bench = await openBench(join(temporaryFolder(), "bench"), day);
  const { clock, dispatcher } = bench;
  const from = clock.now();
  await liveThrough(day, bench);
  const { was, wouldBe, events } = await replay(dispatcher.layout, dispatcher.rules(), from, clock.now() + 1);
  expect(events).toBe(day.calls.length);
  expect(was.told.size).toBeGreaterThan(10);
  const found = compare(was, wouldBe);
  expect(found.differences).toEqual([]);
  expect(found.wouldBe).toEqual(found.was);
});

it("counts what other rules would have sent, and how late", async () => {
  const layout = temporaryState();
  const sentTo = ["phone"];
  happened(layout, noon, { id: "evt_a", name: "Stop", durationMs: 5000 }, { sentTo });
  happened(layout, noon + 1000, { id: "evt_b", name: "Stop", session: "s2", durationMs: 60_000 }, { sentTo });
  happened(layout, noon + 2000, { id: "evt_c", session: "s3", ...question }, { sentTo });
  happened(layout, noon + 60_000, { id: "evt_d", name: "UserPromptSubmit", session: "s3" });
  happened(layout, noon + 11 * hour, { id: "evt_e", name: "Stop", session: "s4", durationMs: 60_000 }, { sentTo });
  const rules = await rulesOf({
    channels: { ...channels, loud: phone },
    rules: [
      { name: "done", when: { event: "Stop" }, notify: ["phone"], longerThan: "20s" },
      { name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"], throttle: { messages: 1, per: "1h" } },
      {
        name: "still",
        when: { event: "PermissionRequest" },
        notify: [],
        escalate: [{ after: "30s", notify: ["loud"] }],
      },
    ],
  });
  const { was, wouldBe } = await replay(layout, rules, noon - hour, noon + 12 * hour);
  const found = compare(was, wouldBe);
  expect(found.was).toMatchObject({ notifications: 4, atNight: 1, questions: { asked: 1, notified: 1, latestMs: 0 } });
  expect(found.wouldBe).toMatchObject({
    notifications: 4,
    perDay: { "2026-11-23": { phone: 3, loud: 1 } },
    atNight: 1,
    questions: { asked: 1, notified: 1, latestMs: 0 },
  });
  expect(found.differences).toMatchObject([
    { at: noon, what: "less", event: "evt_a", channel: "phone" },
    { at: noon + 32_000, what: "more", event: "evt_c", channel: "loud" },
  ]);
});

it("holds what quiet hours hold, and says how late a question comes by it", async () => {
  const layout = temporaryState();
  happened(layout, noon, { id: "evt_a", ...question }, { sentTo: ["phone"] });
  const rules = await rulesOf({
    channels,
    quietHours: { ranges: [{ from: "11:00", to: "12:10" }], breakThrough: [] },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
  });
  const { was, wouldBe } = await replay(layout, rules, noon - hour, noon + hour);
  const found = compare(was, wouldBe);
  expect(found.wouldBe.questions).toMatchObject({ notified: 1, latestMs: 600_000 });
  expect(found.questions).toMatchObject([{ at: noon, wasMs: 0, wouldBeMs: 600_000, about: { project: "shop" } }]);
  expect(found.differences).toMatchObject([{ what: "moved", laterMs: 600_000, channel: "phone" }]);
});

it("takes the person for away until a look was recorded, then goes by the looks", async () => {
  const layout = temporaryState();
  happened(layout, noon, { id: "evt_a", name: "Stop" }, { sentTo: ["phone"] });
  const here = { presence: { idleMs: 1000 } };
  happened(layout, noon + 60_000, { id: "evt_b", name: "Stop", session: "s2" }, { known: here, sentTo: ["phone"] });
  const rules = await rulesOf({
    channels,
    rules: [{ name: "done", when: { event: "Stop" }, notify: ["phone"], away: "1m" }],
  });
  const { was, wouldBe, presenceSince } = await replay(layout, rules, noon - hour, noon + hour);
  expect(presenceSince).toBe(noon + 60_000);
  expect(compare(was, wouldBe).differences).toMatchObject([{ what: "moved", laterMs: 59_000, event: "evt_b" }]);
});

it("reads on where a loud day goes on in another file, and says up to when an older version wrote it", async () => {
  const layout = temporaryState();
  const sentTo = ["phone"];
  happened(layout, noon, { id: "evt_a", name: "Stop" }, { isOlder: true, sentTo });
  writeJournal(layout, noon, { kind: "notice", title: "", body: "x".repeat(9 * 1024 * 1024) });
  happened(layout, noon + 60_000, { id: "evt_b", name: "Stop", session: "s2" }, { sentTo });
  const day = new Date(noon).toISOString().slice(0, 10);
  expect(listJournal(layout)).toEqual([`${day}.jsonl`, `${day}.part002.jsonl`]);
  const rules = await rulesOf({ channels, rules: [{ name: "done", when: { event: "Stop" }, notify: ["phone"] }] });
  const { was, wouldBe, olderUntil, events } = await replay(layout, rules, noon - hour, noon + hour);
  expect({ olderUntil, events }).toEqual({ olderUntil: noon, events: 2 });
  expect(compare(was, wouldBe).differences).toEqual([]);
});

it("counts what was sent and did not arrive", () => {
  const { note, history } = createHistory({ from: noon, to: noon + hour });
  const at = new Date(noon).toISOString();
  note({ kind: "decision", at, event: "evt_1", rules: [], deliveries: [{ id: "msg_1" }, { id: "msg_2" }] });
  const attempt = { kind: "attempt" as const, at, event: "evt_1", channel: "ops" };
  note({ ...attempt, delivery: "msg_1", outcome: "failed", next: "dead" });
  note({ ...attempt, delivery: "msg_2", outcome: "failed", next: "retry" });
  note({ ...attempt, delivery: "msg_2", outcome: "delivered" });
  expect(compare(history, history).was).toMatchObject({ notifications: 2, notArrived: 1 });
});

it("leaves out what a person sent by hand, on both sides", async () => {
  const layout = temporaryState();
  happened(layout, noon, { id: "evt_a", name: "Notification", ...byHand }, { sentTo: ["phone"] });
  const rules = await rulesOf({ channels, rules: [{ name: "all", notify: ["phone"] }] });
  const { was, wouldBe } = await replay(layout, rules, noon - hour, noon + hour);
  expect([was.told.size, wouldBe.told.size]).toEqual([0, 0]);
});

it("weighs what waits for the person again when a look follows from an event", async () => {
  const layout = temporaryState();
  const known = { presence: { idleMs: 1000, isFocused: true } };
  happened(layout, noon, { id: "evt_a", ...question }, { known });
  const later = noon + 45_000;
  happened(layout, later, { id: "evt_b", name: "SubagentStop" });
  const presence = { idleMs: 1000, isFocused: false };
  writeJournal(layout, later, { kind: "presence", agent: "claude-code", session: "s1", presence });
  const delivery = deliveryIdOf("evt_a", "phone");
  writeJournal(layout, noon, { kind: "decision", event: "evt_a", rules: [], deliveries: [{ id: delivery }] });
  const attempt = { kind: "attempt" as const, delivery, event: "evt_a", channel: "phone", attempt: 1 };
  writeJournal(layout, later, { ...attempt, about: {}, outcome: "delivered", next: "done" });
  const rules = await rulesOf({
    channels,
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"], focused: false }],
  });
  const { was, wouldBe } = await replay(layout, rules, noon - hour, noon + hour);
  expect([was.told.size, compare(was, wouldBe).differences]).toEqual([1, []]);
});

it("goes by mutes and acts of the journal, and changes nothing in it", async () => {
  const layout = temporaryState();
  writeJournal(layout, noon, { kind: "muted", scope: "all", name: "" });
  happened(layout, noon + 1000, { id: "evt_a", name: "Stop" });
  writeJournal(layout, noon + 2000, { kind: "unmuted", scope: "all", name: "" });
  happened(layout, noon + 3000, { id: "evt_b", name: "Stop", session: "s2" }, { sentTo: ["phone"] });
  happened(layout, noon + 4000, { id: "evt_c", session: "s3", ...question });
  writeJournal(layout, noon + 9000, { kind: "acted", agent: "claude-code", session: "s3", how: "clicked" });
  const rules = await rulesOf({
    channels,
    rules: [
      { name: "done", when: { event: "Stop" }, notify: ["phone"] },
      {
        name: "asks",
        when: { event: "PermissionRequest" },
        notify: [],
        escalate: [{ after: "30s", notify: ["phone"] }],
      },
    ],
  });
  const before = listNames(layout.root).flatMap((name) => listNames(join(layout.root, name)));
  const { was, wouldBe } = await replay(layout, rules, noon - hour, noon + hour);
  expect(compare(was, wouldBe).differences).toEqual([]);
  expect(wouldBe.told.size).toBe(1);
  expect(listNames(layout.root).flatMap((name) => listNames(join(layout.root, name)))).toEqual(before);
});
