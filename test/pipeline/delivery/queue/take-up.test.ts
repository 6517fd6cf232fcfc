import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ChannelQueues } from "../../../../src/pipeline/delivery/queue/channel-queues.ts";
import type { Delivery } from "../../../../src/model/delivery.ts";
import {
  deliveryFileName,
  listDeliveries,
  newDelivery,
  removeDelivery,
  writeDelivery,
} from "../../../../src/outbox/deliveries/deliveries.ts";
import { listJournal, readJournal } from "../../../../src/outbox/journal.ts";
import { writeIncoming } from "../../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../../support/project/running-dispatcher.ts";

async function prepare() {
  const { dispatcher } = prepareDispatcher();
  await dispatcher.rereadRules();
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  const event = {
    id: "evt_1",
    name: "Stop",
    agent: "generic",
    session: "s",
    cwd: "/",
    project: "p",
    host: "h",
    at: new Date(now).toISOString(),
    level: "info" as const,
  };
  const message = { title: "t", body: "b", level: "info" as const, fields: [] };
  const put = (file: string, more: Partial<Delivery> = {}, folder: "outbox" | "dead" = "outbox"): string => {
    const given = { kind: "event" as const, channel: "team", rule: "all", event, message, expiresAt: now + 60_000 };
    writeDelivery(layout, folder, file, { ...newDelivery(now, given), ...more } as Delivery);
    return file;
  };
  return { dispatcher, layout, now, put, queues: new ChannelQueues(dispatcher) };
}

const files = {
  first: "1-000-msg_1.json",
  second: "2-000-msg_2.json",
  third: "3-000-msg_3.json",
};

it("a late look at a file does not hold again what attention has released since", async () => {
  const { now, put, queues } = await prepare();
  put(files.first, { hold: { by: "presence", why: "terminal focused" }, notBefore: now + 15_000 });
  queues.takeUp(files.first);
  queues.change(files.first, { deferred: undefined, notBefore: now });
  queues.takeUp(files.first);
  expect(queues.byFile.get(files.first)?.waiting.get(files.first)?.notBefore).toBe(now);
});

it("all of outbox/ is taken up, but for copies that a crash has left", async () => {
  const { layout, put, queues } = await prepare();
  put(files.first);
  put(files.first, {}, "dead");
  put(files.second);
  put(files.third, { kind: "summary", summarises: [{ file: files.second, at: "", line: "" }] });
  queues.takeUpAll();
  expect([...queues.byFile.keys()]).toEqual([files.third]);
  expect(listDeliveries(layout, "outbox")).toEqual([files.third]);
});

it("a delivery whose payload a crash has left is not sent before the payload is taken in again", async () => {
  const { layout, now, put, queues } = await prepare();
  const payload = writeIncoming(layout, "{}", { agentId: "generic", nowMs: now });
  const [position = ""] = payload.split(".");
  put(deliveryFileName(position, 0, "msg_1"));
  put(files.second);
  queues.takeUpAll();
  expect([...queues.byFile.keys()]).toEqual([files.second]);
});

it("a file of a later version is known, left alone, and told once", async () => {
  const { layout, queues } = await prepare();
  writeFileSync(join(layout.outbox, files.first), '{"version": 99}');
  queues.takeUp(files.first);
  expect(listJournal(layout)).toHaveLength(1);
  queues.takeUp(files.first);
  queues.takeUpAll();
  expect([queues.isKnown(files.first), queues.byFile.size]).toEqual([true, 0]);
  expect(listDeliveries(layout, "outbox")).toEqual([files.first]);
  const told = listJournal(layout).flatMap((file) => readJournal(layout, file));
  const detail = `outbox/${files.first} is of a later version of hookbell`;
  expect(told).toMatchObject([{ kind: "dispatcher", what: "left alone", detail }]);
});

it.each<[string, Partial<Delivery>, number]>([
  ["postponed", { notBefore: 1_900_000_000_000 }, 1_900_000_000_000],
  ["claimed", { claimedUntil: 1_900_000_000_000 }, 1_900_000_000_000],
])("a delivery that a command has %s waits until then", async (_what, change, expected) => {
  const { put, queues } = await prepare();
  put(files.first);
  queues.takeUpAll();
  put(files.first, change);
  queues.takeUp(files.first);
  expect(queues.byChannel.get("team")?.waiting.get(files.first)?.notBefore).toBe(expected);
});

it("a delivery that a command has sent or discarded leaves its queue; one that is being sent stays", async () => {
  const { layout, put, queues } = await prepare();
  for (const file of [files.first, files.second]) put(file);
  queues.takeUpAll();
  const queue = queues.byChannel.get("team");
  if (queue !== undefined) queue.sending = files.second;
  for (const file of [files.first, files.second]) removeDelivery(layout, "outbox", file);
  for (const file of [files.first, files.second]) queues.takeUp(file);
  expect([...queues.byFile.keys()]).toEqual([files.second]);
});

it("a new delivery opens its channel, since `hookbell retry` says that the receiver is back", async () => {
  const { now, put, queues } = await prepare();
  put(files.first);
  queues.takeUpAll();
  const queue = queues.byChannel.get("team");
  Object.assign(queue ?? {}, { closedUntil: now + 60_000, lacksSecret: true });
  put(files.second);
  queues.takeUp(files.second);
  expect(queue).toMatchObject({ closedUntil: 0, lacksSecret: false });
});

it("a file whose payload is not yet gone, one that is no delivery, and one that was sent without a record are left as they are", async () => {
  const { layout, put, queues } = await prepare();
  put(files.first);
  queues.unsynced.add(files.first);
  put(".tmp-1-2.json");
  for (const file of [files.first, ".tmp-1-2.json", "README"]) queues.takeUp(file);
  expect([...queues.byFile.keys()]).toEqual([]);
  queues.unsynced.clear();
  queues.takeUpAll();
  const queue = queues.byChannel.get("team");
  if (queue !== undefined) queue.unrecorded = { file: files.first } as typeof queue.unrecorded;
  removeDelivery(layout, "outbox", files.first);
  queues.takeUp(files.first);
  expect([...queues.byFile.keys()]).toEqual([files.first]);
});

it("what is known already is not read again with all the others, and what is broken goes to no queue", async () => {
  const { now, layout, put, queues } = await prepare();
  put(files.first);
  queues.takeUp(files.first);
  queues.change(files.first, { notBefore: now + 9 });
  put(files.third);
  writeFileSync(join(layout.outbox, files.second), "torn");
  queues.takeUpAll();
  expect([...queues.byFile.keys()].toSorted()).toEqual([files.first, files.third]);
  expect(queues.find(files.first)?.notBefore).toBe(now + 9);
});

it("a delivery that a command has postponed while a policy defers it waits until then, and is still deferred", async () => {
  const { now, put, queues } = await prepare();
  const hold = { by: "mute", why: "muted", gather: "g" };
  put(files.first, { hold, notBefore: now + 1000 });
  queues.takeUp(files.first);
  put(files.first, { hold, notBefore: now });
  queues.takeUp(files.first);
  expect(queues.find(files.first)).toMatchObject({ notBefore: now, deferred: { until: now, gather: "g" } });
  queues.change(files.first, { notBefore: now - 5 });
  queues.takeUp(files.first);
  expect(queues.find(files.first)?.notBefore).toBe(now - 5);
});
