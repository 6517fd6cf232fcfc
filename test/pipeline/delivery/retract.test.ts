import { botToken } from "../../support/receivers/pretend-telegram.ts";
import { expect, it } from "vitest";
import { noteSession } from "../../../src/pipeline/coalescer/waiting-list.ts";
import { retractReplaced, retractShown } from "../../../src/pipeline/delivery/retract.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { ofAllSessions } from "../../../src/model/own-events.ts";
import { deliveryFileName, newDelivery, writeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { readSession, writeSession } from "../../../src/outbox/sessions.ts";
import { noteList } from "../../../src/outbox/shared/lists.ts";
import { uniqueName } from "../../../src/system/files/files.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "UserPromptSubmit",
  agent: "generic",
  session: "s1",
  cwd: "/p",
  project: "p",
  host: "h",
  at: "2026-01-01T00:00:00.000Z",
  level: "info",
};

const given = { kind: "list" as const, rule: "hookbell's own list" };
const answered = { why: "answered at the terminal after 41s", isAnswer: true, asked: "run `npm test`?" };
const answer: AgentEvent = { ...event, name: "permission.replied", isAnswer: true };

it.each([
  ["a prompt, and nothing newer came", event, undefined, {}],
  ["an answer, and nothing newer came", answer, undefined, {}],
  ["a prompt, and something newer was shown", event, { dedupKey: "newer" }, { oncall: { dedupKey: "newer" } }],
  ["an answer, and the next question was shown", answer, { dedupKey: "newer" }, { oncall: { dedupKey: "newer" } }],
])("what a session shows is forgotten once it is taken back: %s", async (_what, came, newer, left) => {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  writeRules({ channels: { oncall: { type: "pagerduty", routingKey: "k".repeat(32) } }, rules: [] });
  const session = recordOf({ agent: "generic", session: "s1", lastSeenAt: 1 });
  writeSession(layout, { ...session, remembered: { oncall: { dedupKey: "older" } } });
  const resolved: unknown[] = [];
  tools.http = async ({ body }) => {
    resolved.push(JSON.parse(body ?? ""));
    if (newer !== undefined) writeSession(layout, { ...session, remembered: { oncall: newer } });
    return { status: 202, headers: {}, body: "" };
  };
  await dispatcher.rereadRules();
  await retractShown(dispatcher, { event: came, retraction: answered, isMeant: () => true });
  expect(resolved).toMatchObject([{ dedup_key: "older", event_action: "resolve" }]);
  expect(readSession(layout, "generic", "s1").remembered).toEqual(left);
});

it("a channel that shows something newer now is left alone", async () => {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  writeRules({ channels: { oncall: { type: "pagerduty", routingKey: "k".repeat(32) } }, rules: [] });
  const remembered = { oncall: { dedupKey: "older" } };
  writeSession(layout, recordOf({ agent: "generic", session: "s1", lastSeenAt: 1, remembered }));
  let requests = 0;
  tools.http = async () => {
    requests += 1;
    return { status: 202, headers: {}, body: "" };
  };
  await dispatcher.rereadRules();
  await retractShown(dispatcher, { event, retraction: answered, isMeant: (channel) => channel !== "oncall" });
  expect([requests, readSession(layout, "generic", "s1").remembered]).toEqual([0, remembered]);
});

it("what could not be taken back is taken back the next time", async () => {
  const { dispatcher, writeRules, journal } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  const channel = { type: "pagerduty", routingKey: "k".repeat(32) };
  writeRules({ channels: { oncall: channel, other: channel }, rules: [] });
  const remembered = { oncall: { dedupKey: "older" }, other: { dedupKey: "older" } };
  writeSession(layout, recordOf({ agent: "generic", session: "s1", lastSeenAt: 1, remembered }));
  let requests = 0;
  tools.http = async () => {
    requests += 1;
    return { status: requests === 1 ? 503 : 202, headers: {}, body: "" };
  };
  await dispatcher.rereadRules();
  await retractShown(dispatcher, { event, retraction: answered, isMeant: () => true });
  expect(readSession(layout, "generic", "s1").remembered).toEqual({ oncall: { dedupKey: "older" } });
  expect(journal("notice")).toMatchObject([{ channel: "oncall", title: "not withdrawn" }]);
  await retractShown(dispatcher, { event, retraction: answered, isMeant: () => true });
  expect([requests, readSession(layout, "generic", "s1").remembered]).toEqual([3, {}]);
});

it("a list that arrives after the last of its sessions was answered is taken back", async () => {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  writeRules({ channels: { oncall: { type: "pagerduty", routingKey: "k".repeat(32) } }, rules: [] });
  const list = { ...event, ...ofAllSessions };
  noteList(layout, "oncall", { reference: { dedupKey: "list" } });
  const asked = { id: "evt_0", at: tools.clock.now(), name: "Notification", channels: ["oncall"] };
  const waiting = { agent: "generic", session: "s1" };
  writeSession(layout, recordOf({ ...waiting, open: [asked] }));
  const resolved: unknown[] = [];
  tools.http = async ({ body }) => {
    resolved.push(JSON.parse(body ?? ""));
    return { status: 202, headers: {}, body: "" };
  };
  await dispatcher.rereadRules();
  const message = { title: "2 sessions wait for you", body: "", level: "info" as const, fields: [] };
  const delivery = newDelivery(0, { ...given, channel: "oncall", event: list, message, expiresAt: 1 });
  await retractReplaced(dispatcher, delivery);
  expect(resolved).toEqual([]);
  noteSession(layout, recordOf({ ...waiting, open: [] }));
  await retractReplaced(dispatcher, delivery);
  expect(resolved).toMatchObject([{ dedup_key: "list", event_action: "resolve" }]);
});

it("a list that waits in the outbox when the last of its sessions is answered is not shown", async () => {
  const receiver = await startHttpReceiver({ behaviour: { answer: 200, body: '{"id":"x"}' } });
  const { dispatcher, writeRules, run, journal } = prepareDispatcher();
  writeRules({ channels: { phone: { type: "ntfy", server: receiver.origin, topic: "mine" } }, rules: [] });
  const now = dispatcher.tools.clock.now();
  const message = { title: "1 session waits for you", body: "", level: "info" as const, fields: [] };
  const more = { ...given, channel: "phone", event: { ...event, ...ofAllSessions }, message };
  const delivery = newDelivery(now, { ...more, expiresAt: now + 60_000 });
  writeDelivery(dispatcher.layout, "outbox", deliveryFileName(uniqueName(now), 0, delivery.id), delivery);
  await run({ idleMs: 0 });
  expect(receiver.requests).toEqual([]);
  expect(journal("attempt")).toMatchObject([{ outcome: "delivered", detail: "not shown: no session waits any more" }]);
});

it.each([
  ["telegram", { token: botToken, chat: 1 }, { message: "7", chat: "1" }, 1],
  ["telegram that replaces", { token: botToken, chat: 1, update: "replace" }, { message: "7", chat: "1" }, 1],
  // An iPhone would show the edit as a message of its own.
  ["ntfy", { topic: "t", server: "https://ntfy.example.org" }, { id: "7" }, 0],
] as const)(
  "an answered question says so in its place where an edit is silent: %s",
  async (what, settings, reference, edits) => {
    const { dispatcher, writeRules } = prepareDispatcher();
    const { layout } = dispatcher;
    const [type = ""] = what.split(" ");
    writeRules({ channels: { phone: { type, ...settings } }, rules: [] });
    await dispatcher.rereadRules();
    const remembered = { phone: reference };
    writeSession(layout, recordOf({ agent: "generic", session: "s1", lastSeenAt: 1, remembered }));
    const isMeant = (): boolean => true;
    const made = await retractShown(dispatcher, { event: answer, retraction: answered, isMeant });
    expect(made.map(({ delivery: { kind, message } }) => [kind, message.title, message.body])).toEqual(
      Array.from({ length: edits }, () => ["edit", "p: answered at the terminal after 41s", "run `npm test`?"]),
    );
    const news = { why: "you wrote to the session", isAnswer: false };
    expect(await retractShown(dispatcher, { event: answer, retraction: news, isMeant })).toEqual([]);
    // What the session said before your prompt is not where the answer to a later question is told.
    const prompt = { ...news, isOfTurn: true } as const;
    expect(await retractShown(dispatcher, { event: answer, retraction: prompt, isMeant })).toEqual([]);
    const later = await retractShown(dispatcher, { event: answer, retraction: answered, isMeant });
    expect(later).toHaveLength(what.endsWith("replaces") ? 1 : 0);
  },
);
