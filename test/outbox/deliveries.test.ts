import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  buryDelivery,
  deliveryFileInstead,
  deliveryFileName,
  deliveryIdIn,
  listDeliveries,
  newDelivery,
  placeDelivery,
  positionIn,
  readDelivery,
  removeDelivery,
  removePlaced,
  reviveDeliveries,
  syncPlaced,
} from "../../src/outbox/deliveries/deliveries.ts";
import { localRequest } from "../support/channels/channel-request.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { ofAllSessions } from "../../src/model/own-events.ts";

const { event, message } = localRequest({}, {});
const delivery = newDelivery(1_800_000_000_000, {
  kind: "event",
  channel: "ops",
  rule: "all",
  event,
  message,
  expiresAt: 1_900_000_000_000,
});

it.each<[string, object, object]>([
  [
    "an unknown level",
    { message: { ...message, level: "critical" }, event: { ...event, level: "critical" } },
    { status: "read", delivery: { message: { level: "attention" }, event: { level: "attention" } } },
  ],
  [
    "an unknown reason of its last failure",
    { lastFailure: { reason: "onFire", detail: "x", at: 1 } },
    { status: "read", delivery: { id: delivery.id } },
  ],
  ["fields that are not known", { colour: "red" }, { status: "read", delivery: { id: delivery.id } }],
  ["another format", { version: 3, channel: ["ops"] }, { status: "later" }],
  ["a format that is no number", { version: "3" }, { status: "broken", problem: "version: expected 2" }],
  ["no format at all", { version: undefined }, { status: "broken", problem: "version: expected 2" }],
  ["a number as its channel", { channel: 1 }, { status: "broken", problem: "channel: expected a text, got a number" }],
])("a delivery that a later version wrote, with %s", (_name, more, expected) => {
  const layout = temporaryState();
  writeFileSync(join(layout.outbox, "1-msg_1.json"), JSON.stringify({ ...delivery, ...more }));
  expect(readDelivery(layout, "outbox", "1-msg_1.json")).toMatchObject(expected);
});

it("a torn delivery is told apart in plain words", () => {
  const layout = temporaryState();
  writeFileSync(join(layout.outbox, "1-msg_1.json"), '{"version":1,');
  expect(readDelivery(layout, "outbox", "1-msg_1.json")).toEqual({ status: "broken", problem: "it is not JSON" });
});

it.each<[string, object, object]>([
  ["what a rule made of an event", {}, { kind: "event" }],
  ["an open question with buttons", { question: "1-2-3" }, { kind: "question", question: "1-2-3" }],
  ["a list of sessions", { rule: "hookbell's own list" }, { kind: "list" }],
  ["a summary", { summarises: [{ file: "1", at: "2", line: "3" }] }, { kind: "summary" }],
  ["an edit", { rule: "hookbell's own edit" }, { kind: "edit" }],
  [
    "an edit of the list of sessions",
    { rule: "hookbell's own edit", event: { ...event, ...ofAllSessions } },
    { kind: "edit", isOfList: true },
  ],
  ["a message to be taken back", { takesBack: "a sample" }, { kind: "retraction", why: "a sample" }],
  ["a notice of hookbell's", { event: { ...event, id: "evt_notice0123" } }, { kind: "notice" }],
  ["a turn that may be stuck", { event: { ...event, name: "Stuck" } }, { kind: "stuck" }],
  [
    "a limit that is reached",
    { event: { ...event, name: "LimitReached", session: "usage-limit" } },
    { kind: "limitReached" },
  ],
  ["a limit's reset", { event: { ...event, name: "LimitReset", session: "usage-limit" } }, { kind: "limitReset" }],
  ["an agent's event that is called like it", { event: { ...event, name: "LimitReset" } }, { kind: "event" }],
])("a delivery of 1.0.0-rc.1 is %s", (_name, more, expected) => {
  const layout = temporaryState();
  const { kind: _, ...rest } = delivery;
  writeFileSync(join(layout.outbox, "1-msg_1.json"), JSON.stringify({ ...rest, version: 1, ...more }));
  expect(readDelivery(layout, "outbox", "1-msg_1.json")).toMatchObject({
    status: "read",
    delivery: { ...expected, version: 2 },
  });
});

it.each<[string, object]>([
  ["an agent's session has the list's name", { session: "waiting" }],
  ["it is of another session of hookbell's", { agent: "hookbell", session: "summary" }],
])("an edit of 1.0.0-rc.1 is no edit of the list where %s", (_name, more) => {
  const layout = temporaryState();
  const { kind: _, ...rest } = delivery;
  const edit = { ...rest, version: 1, rule: "hookbell's own edit", event: { ...event, ...more } };
  writeFileSync(join(layout.outbox, "1-msg_1.json"), JSON.stringify(edit));
  const reading = readDelivery(layout, "outbox", "1-msg_1.json");
  expect(reading).toMatchObject({ status: "read", delivery: { kind: "edit" } });
  expect(reading).not.toHaveProperty("delivery.isOfList");
});

it("a delivery's name says of which payload and in which order it was made, and its id", () => {
  const names = [3, 20, 100].map((order) => deliveryFileName("1700000000000-a-1", order, "msg_0a"));
  expect(names[0]).toBe("1700000000000-a-1-003-msg_0a.json");
  expect(names.toSorted()).toEqual(names);
  expect(names.map(positionIn)).toEqual(Array.from(names, () => "1700000000000-a-1"));
  expect(deliveryIdIn(names[0] ?? "")).toBe("msg_0a");
  expect(deliveryFileInstead(names[0] ?? "", "msg_1b")).toBe("1700000000000-a-1-003-msg_1b.json");
});

it("deliveries are placed, and removed again together where one of them could not be", async () => {
  const layout = temporaryState();
  const files = ["1-000-msg_1.json", "2-000-msg_2.json"];
  for (const file of files) placeDelivery(layout, file, delivery);
  await syncPlaced(layout, files);
  expect(listDeliveries(layout, "outbox")).toEqual(files);
  expect(readDelivery(layout, "outbox", files[0] ?? "")).toEqual({ status: "read", delivery });
  await expect(syncPlaced(layout, ["3-000-msg_3.json"])).rejects.toThrow("ENOENT");
  removePlaced(
    layout,
    [...files, "3-000-msg_3.json"].map((file) => ({ file, delivery })),
  );
  expect(listDeliveries(layout, "outbox")).toEqual([]);
});

it("a dead letter leaves the outbox once it is kept, and comes back under another name", () => {
  const layout = temporaryState();
  const file = "1-000-msg_1.json";
  placeDelivery(layout, file, delivery);
  buryDelivery(layout, file, { ...delivery, attempts: 3 });
  expect([listDeliveries(layout, "outbox"), listDeliveries(layout, "dead")]).toEqual([[], [file]]);
  expect(reviveDeliveries(layout, [file, "gone-000-msg_2.json"], 1_800_000_000_000)).toEqual([file]);
  const [revived = ""] = listDeliveries(layout, "outbox");
  expect([revived === file, deliveryIdIn(revived), listDeliveries(layout, "dead")]).toEqual([false, "msg_1", []]);
  expect(readDelivery(layout, "outbox", revived)).toMatchObject({ delivery: { attempts: 3 } });
  expect([removeDelivery(layout, "outbox", revived), removeDelivery(layout, "outbox", revived)]).toEqual([true, false]);
  expect(readDelivery(layout, "outbox", revived)).toEqual({ status: "gone" });
});
