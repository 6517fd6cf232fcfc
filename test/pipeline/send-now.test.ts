// A command in the foreground sends what it has just made, and says what became of it.
import { expect, it } from "vitest";
import { readChannelState } from "../../src/pipeline/channel/endpoint-policy.ts";
import { listDeliveries, readDelivery, removeDelivery } from "../../src/outbox/deliveries/deliveries.ts";
import { sendNow } from "../../src/pipeline/send-now.ts";
import { startHttpReceiver } from "../support/receivers/http-receiver.ts";
import { prepareDue } from "./delivery/due.ts";

async function prepare() {
  const receiver = await startHttpReceiver();
  const { tools, files, journal } = await prepareDue([{}], { type: "webhook", url: `${receiver.origin}/x` });
  const { dispatcher } = tools;
  const [file = ""] = files;
  const reading = readDelivery(dispatcher.layout, "outbox", file);
  if (reading.status !== "read") throw new Error(reading.status);
  const planned = { file, delivery: reading.delivery };
  const send = () => sendNow(dispatcher, planned, readChannelState(dispatcher, "team"), new Set());
  return { receiver, layout: dispatcher.layout, file, journal, send };
}

it("what is delivered is gone from the outbox, and the receiver's answer is known", async () => {
  const { receiver, layout, journal, send } = await prepare();
  expect(await send()).toMatchObject({ next: "done", added: [], outcome: { status: "delivered" } });
  expect([receiver.requests.length, listDeliveries(layout, "outbox")]).toEqual([1, []]);
  expect(journal("attempt")).toMatchObject([{ outcome: "delivered" }]);
});

it("what fails waits for the dispatcher, and what went meanwhile is not sent", async () => {
  const { receiver, layout, file, send } = await prepare();
  receiver.behave({ answer: 503 });
  expect(await send()).toMatchObject({ next: "retry", outcome: { status: "failed", reason: "serverError" } });
  expect(listDeliveries(layout, "outbox")).toEqual([file]);
  removeDelivery(layout, "outbox", file);
  expect(await send()).toBeUndefined();
  expect(receiver.requests.length).toBe(1);
});
