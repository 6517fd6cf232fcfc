import { expect, it } from "vitest";
import { summarise } from "../../../src/pipeline/coalescer/summary.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import {
  deliveryFileName,
  listDeliveries,
  newDelivery,
  removeDelivery,
  writeDelivery,
} from "../../../src/outbox/deliveries/deliveries.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { hourMs, prepareDue, slack } from "../delivery/due.ts";

it("a summary leaves out what only takes a message back", async () => {
  const { dispatcher, clock, writeRules } = prepareDispatcher();
  writeRules({
    channels: { team: { type: "slack", url: "https://vendor.example/hook", summary: 2 } },
    rules: [{ name: "all", notify: ["team"] }],
  });
  await dispatcher.rereadRules();
  const channel = dispatcher.rules().rules.channels.team;
  if (channel === undefined) throw new Error("the channel is missing");
  const now = clock.now();
  const written = (what: string, more: object = {}): string => {
    const event = {
      id: `evt_${what}`,
      name: "Stop",
      agent: "droid",
      session: what,
      branch: "main",
      sessionWords: what === "two" ? "fix the cart" : undefined,
      cwd: "/srv/shop",
      project: "shop",
      host: "box",
      at: new Date(now - hourMs).toISOString(),
      level: "success" as const,
    };
    const message = { title: `shop: ${what}`, body: "", level: "success" as const, fields: [] };
    const delivery = newDelivery(now, {
      kind: "event",
      channel: "team",
      rule: "all",
      event,
      message,
      expiresAt: now + hourMs,
    });
    const file = deliveryFileName(`000${what}`, 0, delivery.id);
    writeDelivery(dispatcher.layout, "outbox", file, { ...delivery, ...more } as Delivery);
    return file;
  };
  const back = written("back", { kind: "retraction", why: "it was a sample of hookbell test" });
  expect(summarise(dispatcher, channel, [written("first"), back], "long")).toBeUndefined();
  const files = [written("one"), back, written("two")];
  const summary = summarise(dispatcher, channel, files, "long");
  expect(summary?.removed).toEqual([files[0], files[2]]);
  expect(summary?.added.delivery.message.title).toBe("2 earlier notifications");
  expect(summary?.added.delivery.message.body).toMatch(
    /^\d\d:\d\d {2}shop: two \(main, fix the cart\)\n\d\d:\d\d {2}shop: one \(main\)$/,
  );
});

const summarised = { ...slack, summary: 2 };

async function prepare(waiting: Parameters<typeof prepareDue>[0], channelSettings: object = summarised) {
  const prepared = await prepareDue(waiting, { ...channelSettings }, { ageMs: hourMs });
  const { dispatcher } = prepared.tools;
  const { team } = dispatcher.rules().rules.channels;
  if (team === undefined) throw new Error("the channel is missing");
  const sum = (waited: "long" | "together", files = prepared.files) => summarise(dispatcher, team, files, waited);
  return { ...prepared, layout: dispatcher.layout, sum };
}

const heldBy = (by: string) => ({ hold: { by, why: "", gather: "g" } });

it("a summary leaves out what has expired or has left the outbox meanwhile", async () => {
  const { layout, files, sum, clock } = await prepare([
    {},
    ({ createdAt }) => ({ expiresAt: createdAt + 1000 }),
    {},
    {},
  ]);
  removeDelivery(layout, "outbox", files[0] ?? "");
  clock.turn(1000);
  expect(sum("long")?.removed).toEqual(files.slice(2));
  expect(listDeliveries(layout, "outbox")).toHaveLength(2);
});

it.each([
  ["quietHours", "3 notifications during quiet hours"],
  ["mute", "3 notifications while it was muted"],
  ["throttle", "3 notifications more"],
  ["group", "3 notifications"],
])("what waited together because of %s says so, as the newest of them was deferred", async (by, title) => {
  const { sum } = await prepare([{}, heldBy("age"), heldBy(by)]);
  expect(sum("together")?.added.delivery.message.title).toBe(title);
});

it("two that waited together become one also where the channel sends old ones by themselves", async () => {
  const { sum } = await prepare([{}, {}], { ...slack, summary: false });
  expect(sum("long")).toBeUndefined();
  expect(sum("together", [])).toBeUndefined();
  expect(sum("together")?.added.delivery.message.title).toBe("2 notifications");
});

it("the journal says which deliveries the summary stands for, and the summary names their files", async () => {
  const { sum, files, journal, layout } = await prepare([{}, {}]);
  const ids = files.map((file) => file.replace(/^.*-(msg_\w+)\.json$/, "$1"));
  const summary = sum("long");
  const delivery = summary?.added.delivery;
  expect(delivery).toMatchObject({ kind: "summary", summarises: [{ file: files[1] }, { file: files[0] }] });
  expect(listDeliveries(layout, "outbox")).toEqual([summary?.added.file]);
  expect(journal("decision")).toMatchObject([
    {
      event: delivery?.event.id,
      deliveries: [{ id: delivery?.id, channel: "team", rule: "hookbell's own summary" }],
      why: "2 deliveries had waited long, so they go out as one",
      summarises: ids,
    },
  ]);
});

it("questions that waited together are listed as what their sessions wait for, and other messages are not", async () => {
  const asks =
    (by: string) =>
    ({ event }: Delivery) => ({ ...heldBy(by), event: { ...event, name: "PermissionRequest" } });
  for (const [by, title] of [
    ["several", "2 sessions wait"],
    ["group", "2 notifications"],
  ] as const) {
    const { sum, layout, now } = await prepare([asks(by), asks(by)]);
    for (const session of ["s0", "s1"]) {
      const question = { id: `evt_${session}`, at: now, name: "PermissionRequest", channels: ["team"] };
      writeSession(layout, recordOf({ agent: "droid", session, lastSeenAt: now, open: [question] }));
    }
    expect(sum("together")?.added.delivery.message.title).toContain(title);
  }
});
