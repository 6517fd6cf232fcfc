import { expect, it } from "vitest";
import { summarise } from "../../../src/pipeline/delivery/summary.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { deliveryFileName, newDelivery, writeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

const hourMs = 60 * 60_000;

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
  expect(summary?.added.delivery.message.body).toMatch(/^\d\d:\d\d {2}shop: two\n\d\d:\d\d {2}shop: one$/);
});
