// The sample that `hookbell test` sends, and how it leaves again.
import { expect, it } from "vitest";
import { lastEvent } from "../../../src/commands/queue/why.ts";
import { sendSample } from "../../../src/commands/send/sample.ts";
import { sendNow } from "../../../src/pipeline/send-now.ts";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { readChannelState } from "../../../src/pipeline/channel/endpoint-policy.ts";

it("is taken back by the dispatcher a minute later, where the channel can", async () => {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, tools } = dispatcher;
  writeRules({ channels: { oncall: { type: "pagerduty", routingKey: "k".repeat(32) } }, rules: [] });
  await dispatcher.rereadRules();
  const calls: { event_action: string; dedup_key: string }[] = [];
  tools.http = async ({ body }) => {
    calls.push(JSON.parse(body ?? "") as (typeof calls)[number]);
    return {
      status: 202,
      headers: {},
      body: JSON.stringify({ status: "success", message: "Event processed", dedup_key: "d" }),
    };
  };
  const channel = dispatcher.rules().rules.channels.oncall;
  if (channel === undefined) throw new Error("there is no channel");
  const before = tools.clock.now();
  expect(await sendSample(dispatcher, channel)).toMatchObject({ outcome: { status: "delivered" }, isTakenBack: true });
  const [file = ""] = listDeliveries(layout, "outbox");
  const reading = readDelivery(layout, "outbox", file);
  if (reading.status !== "read") throw new Error("nothing waits");
  const { delivery } = reading;
  expect(delivery.notBefore - before).toBeGreaterThanOrEqual(60_000);
  const sent = await sendNow(dispatcher, { file, delivery }, readChannelState(dispatcher, "oncall"), new Set());
  expect(sent).toMatchObject({ next: "done", added: [] });
  expect(calls.map(({ event_action }) => event_action)).toEqual(["trigger", "resolve"]);
  expect(calls[1]?.dedup_key).toBe(calls[0]?.dedup_key);
  expect(listDeliveries(layout, "outbox")).toEqual([]);
  // `hookbell why` is about what rang, and this did not.
  expect(lastEvent(layout)).not.toBe(delivery.event.id);
});

it("leaves nothing behind where the channel cannot take it back", async () => {
  const { dispatcher, writeRules } = prepareDispatcher();
  writeRules({ channels: { ops: { type: "webhook", url: "https://example.com" } }, rules: [] });
  await dispatcher.rereadRules();
  dispatcher.tools.http = async () => ({ status: 200, headers: {}, body: "" });
  const channel = dispatcher.rules().rules.channels.ops;
  if (channel === undefined) throw new Error("there is no channel");
  expect(await sendSample(dispatcher, channel)).toMatchObject({ isTakenBack: false });
  expect(listDeliveries(dispatcher.layout, "outbox")).toEqual([]);
});

it("says in its title that it is a test", async () => {
  const { dispatcher, writeRules } = prepareDispatcher();
  writeRules({
    channels: { phone: { type: "gotify", server: "https://g.example.org", token: "A1234567890abcd" } },
    rules: [],
  });
  await dispatcher.rereadRules();
  let sent = "";
  dispatcher.tools.http = async ({ body }) => {
    sent = body ?? "";
    return { status: 200, headers: {}, body: '{ "id": 1 }' };
  };
  const channel = dispatcher.rules().rules.channels.phone;
  if (channel === undefined) throw new Error("there is no channel");
  expect(await sendSample(dispatcher, channel)).toMatchObject({ outcome: { status: "delivered" } });
  expect((JSON.parse(sent) as { title: string }).title).toBe("hookbell test: this is only a test");
});
