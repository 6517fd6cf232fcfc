import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { change, createLanes, isKnown, takeUpAll, takeUpFile } from "../../../src/dispatch/run/lanes.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import {
  deliveryFileName,
  listDeliveries,
  newDelivery,
  removeDelivery,
  writeDelivery,
} from "../../../src/outbox/deliveries/deliveries.ts";
import { listJournal, readJournal } from "../../../src/outbox/journal.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

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
  return { dispatcher, layout, now, put, lanes: createLanes() };
}

const files = {
  first: "1-000-msg_1.json",
  second: "2-000-msg_2.json",
  third: "3-000-msg_3.json",
};

it("a late look at a file does not hold again what attention has released since", async () => {
  const { dispatcher, now, put, lanes } = await prepare();
  put(files.first, { hold: { by: "presence", why: "terminal focused" }, notBefore: now + 15_000 });
  takeUpFile(dispatcher, lanes, files.first);
  change(lanes, files.first, { hold: undefined, notBefore: now });
  takeUpFile(dispatcher, lanes, files.first);
  expect(lanes.byFile.get(files.first)?.waiting.get(files.first)?.notBefore).toBe(now);
});

it("all of outbox/ is taken up, but for copies that a crash has left", async () => {
  const { dispatcher, layout, put, lanes } = await prepare();
  put(files.first);
  put(files.first, {}, "dead");
  put(files.second);
  put(files.third, { kind: "summary", summarises: [{ file: files.second, at: "", line: "" }] });
  takeUpAll(dispatcher, lanes);
  expect([...lanes.byFile.keys()]).toEqual([files.third]);
  expect(listDeliveries(layout, "outbox")).toEqual([files.third]);
});

it("a delivery whose payload a crash has left is not sent before the payload is taken in again", async () => {
  const { dispatcher, layout, now, put, lanes } = await prepare();
  const payload = writeIncoming(layout, "{}", { agentId: "generic", nowMs: now });
  const [position = ""] = payload.split(".");
  put(deliveryFileName(position, 0, "msg_1"));
  put(files.second);
  takeUpAll(dispatcher, lanes);
  expect([...lanes.byFile.keys()]).toEqual([files.second]);
});

it("a file of a later version is known, left alone, and told once", async () => {
  const { dispatcher, layout, lanes } = await prepare();
  writeFileSync(join(layout.outbox, files.first), '{"version": 99}');
  takeUpFile(dispatcher, lanes, files.first);
  takeUpFile(dispatcher, lanes, files.first);
  takeUpAll(dispatcher, lanes);
  expect([isKnown(lanes, files.first), lanes.byFile.size]).toEqual([true, 0]);
  expect(listDeliveries(layout, "outbox")).toEqual([files.first]);
  const told = listJournal(layout).flatMap((file) => readJournal(layout, file));
  expect(told.filter(({ what }) => what === "left alone")).toHaveLength(1);
});

it.each<[string, Partial<Delivery>, number]>([
  ["postponed", { notBefore: 1_900_000_000_000 }, 1_900_000_000_000],
  ["claimed", { claimedUntil: 1_900_000_000_000 }, 1_900_000_000_000],
])("a delivery that a command has %s waits until then", async (_what, change, expected) => {
  const { dispatcher, put, lanes } = await prepare();
  put(files.first);
  takeUpAll(dispatcher, lanes);
  put(files.first, change);
  takeUpFile(dispatcher, lanes, files.first);
  expect(lanes.byChannel.get("team")?.waiting.get(files.first)?.notBefore).toBe(expected);
});

it("a delivery that a command has sent or discarded leaves its lane; one that is being sent stays", async () => {
  const { dispatcher, layout, put, lanes } = await prepare();
  for (const file of [files.first, files.second]) put(file);
  takeUpAll(dispatcher, lanes);
  const lane = lanes.byChannel.get("team");
  if (lane !== undefined) lane.sending = files.second;
  for (const file of [files.first, files.second]) removeDelivery(layout, "outbox", file);
  for (const file of [files.first, files.second]) takeUpFile(dispatcher, lanes, file);
  expect([...lanes.byFile.keys()]).toEqual([files.second]);
});

it("a new delivery opens its channel, since `hookbell retry` says that the receiver is back", async () => {
  const { dispatcher, now, put, lanes } = await prepare();
  put(files.first);
  takeUpAll(dispatcher, lanes);
  const lane = lanes.byChannel.get("team");
  Object.assign(lane ?? {}, { closedUntil: now + 60_000, lacksSecret: true });
  put(files.second);
  takeUpFile(dispatcher, lanes, files.second);
  expect(lane).toMatchObject({ closedUntil: 0, lacksSecret: false });
});
