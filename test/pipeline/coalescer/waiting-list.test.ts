// Which sessions are remembered as open, and what a list takes the place of.
import { expect, it } from "vitest";
import {
  asList,
  isListShown,
  noteSession,
  openIn,
  listReferences,
  shortened,
} from "../../../src/pipeline/coalescer/waiting-list.ts";
import type { DeliveryOf } from "../../../src/model/delivery.ts";
import { newDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { noteList } from "../../../src/outbox/shared/lists.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { eventOf, hour } from "../../policies/messages.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const agent = "droid";
const question = { id: "evt_1", at: 5, name: "PermissionRequest" };

it("a session is open while a turn or a question of it is", () => {
  const layout = temporaryState();
  const works = { kind: "working", since: 5, reason: "", source: "hook", turn: { helpers: 0 } } as const;
  writeSession(layout, recordOf({ agent, session: "read", open: [question] }));
  writeSession(layout, recordOf({ agent, session: "ended" }));
  const names = () => [...openIn(layout).values()].map(({ session }) => session);
  expect(names()).toEqual(["read"]);
  noteSession(layout, recordOf({ agent, session: "works", state: works }));
  noteSession(layout, recordOf({ agent, session: "idle" }));
  expect(names()).toEqual(["read", "works"]);
  noteSession(layout, recordOf({ agent, session: "read" }));
  noteSession(layout, recordOf({ agent, session: "works", open: [question] }));
  expect(names()).toEqual(["works"]);
  noteSession(layout, recordOf({ agent, session: "works" }));
  expect(names()).toEqual([]);
});

it("a list stays where a message can be taken back, and else takes the place of the one that rang", async () => {
  const running = prepareDispatcher();
  running.writeRules({ channels: { desk: { type: "desktop" }, phone: { type: "ntfy", topic: "t" } }, rules: [] });
  const { dispatcher } = running;
  await dispatcher.rereadRules();
  const { layout } = dispatcher;
  const joins = { agent, session: "s1" };
  const placesOf = (name: string, rang?: typeof joins) => {
    const channel = dispatcher.rules().rules.channels[name];
    return channel && listReferences(dispatcher, channel, rang);
  };
  expect(placesOf("phone", joins)).toEqual({ replaces: undefined, outdated: undefined });
  for (const name of ["desk", "phone"]) noteList(layout, name, { reference: { id: "list" } });
  const remembered = { desk: { id: "rang" }, phone: { id: "rang" } };
  writeSession(layout, recordOf({ ...joins, remembered }));
  expect(placesOf("phone")).toEqual({ replaces: { id: "list" }, outdated: undefined });
  expect(placesOf("phone", joins)).toEqual({ replaces: { id: "rang" }, outdated: { id: "list" } });
  expect(placesOf("desk", joins)).toEqual({ replaces: { id: "list" }, outdated: undefined });
});

/** Sessions that wait with a question, of which these channels are told. */
async function waiting(...sessions: string[]) {
  const running = prepareDispatcher();
  running.writeRules({
    channels: {
      desk: { type: "desktop" },
      phone: { type: "ntfy", topic: "t", expireAfter: "2h" },
      hook: { type: "webhook", url: "http://127.0.0.1:9/x" },
    },
    rules: [],
  });
  const { dispatcher, clock } = running;
  await dispatcher.rereadRules();
  const { layout } = dispatcher;
  const now = clock.now();
  const askingOf = (session: string, channels = ["desk", "phone", "hook"]) => {
    const open = [{ ...question, id: `evt_${session}`, at: now + Number(session.slice(1)), channels }];
    return recordOf({ agent, session, lastSeenAt: now, open });
  };
  for (const session of sessions) writeSession(layout, askingOf(session));
  const event = eventOf("PermissionRequest", { agent, session: "s1", message: "npm test?" }, now);
  const list = (name: string, more: Partial<DeliveryOf<"event">> = {}) => {
    const channel = dispatcher.rules().rules.channels[name];
    const message = { title: "asks", body: "", level: event.level, fields: [{ label: "tool", value: "Bash" }] };
    const given = { kind: "event" as const, channel: name, rule: "all", event, message, expiresAt: now + hour };
    return channel && asList(dispatcher, channel, { ...newDelivery(now, given), ...more });
  };
  return { ...running, layout, now, askingOf, event, list };
}

const joins = { agent, session: "s0" };

it("a question is shown as a list where two sessions wait, always or as one that joins another", async () => {
  const { list } = await waiting("s0", "s1");
  const shown = list("desk");
  expect(shown).toMatchObject({
    key: "evt_s0 evt_s1",
    delivery: { kind: "list", event: { agent: "hookbell", session: "waiting" }, message: { fields: [] } },
  });
  expect(shown?.delivery.message.title).not.toBe("asks");
  expect([list("phone"), list("hook"), list("hook", { joins })]).toEqual([undefined, undefined, undefined]);
  expect(list("phone", { joins })?.key).toBe("evt_s0 evt_s1");
});

it("no other message is shown as a list, nor a question that waits alone", async () => {
  const { list, event } = await waiting("s0", "s1");
  expect(list("desk", { event: { ...event, name: "Stop" } })).toBeUndefined();
  expect((await waiting("s1")).list("desk")).toBeUndefined();
});

it("the same list is shown once on a channel, by its questions", () => {
  const layout = temporaryState();
  expect(isListShown(layout, "desk", "a b")).toBe(false);
  noteList(layout, "desk", { key: "a b" });
  expect([isListShown(layout, "desk", "a b"), isListShown(layout, "desk", "a")]).toEqual([true, false]);
  expect(isListShown(layout, "phone", "a b")).toBe(false);
});

it("an answer shortens the lists in which its question stands, and empties those that had nothing else", async () => {
  const { dispatcher, layout, askingOf, now } = await waiting("s1");
  writeSession(layout, askingOf("s2", ["phone"]));
  for (const name of ["desk", "phone", "gone"]) noteList(layout, name, { reference: { id: name } });
  noteList(layout, "hook", { key: "never shown" });
  const answered = eventOf("PostToolUse", { agent, session: "s1", message: "ok" }, now);
  const { empty, deliveries } = shortened(
    dispatcher,
    answered,
    recordOf({ agent, session: "s1" }),
    "1700000000000-a-1",
  );
  expect(empty).toEqual(["desk"]);
  expect(deliveries).toMatchObject(
    [
      {
        file: /^1700000000000-a-1-90\d-msg_\w+\.json$/,
        delivery: {
          kind: "list",
          channel: "phone",
          rule: "hookbell's own list",
          event: { agent: "hookbell", session: "waiting", level: "info" },
          message: { level: "info", fields: [] },
          expiresAt: now + 2 * hour,
        },
      },
    ].map(({ file, ...each }) => ({ ...each, file: expect.stringMatching(file) })),
  );
  expect(deliveries[0]?.delivery.event.message).toBeUndefined();
});

it("an answer of a session that is in no list shortens none", async () => {
  const { dispatcher, layout, now } = await waiting("s1");
  noteList(layout, "desk", { reference: { id: "desk" } });
  const other = eventOf("PostToolUse", { agent, session: "s9" }, now);
  const none = shortened(dispatcher, other, recordOf({ agent, session: "s9" }), "1700000000000-a-1");
  expect(none).toEqual({ empty: [], deliveries: [] });
});
