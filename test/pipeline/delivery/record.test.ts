import { expect, it } from "vitest";
import { readChannelState } from "../../../src/dispatch/policy/endpoint-policy.ts";
import { delivered, failed, type Outcome } from "../../../src/model/outcome.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { listDeliveries, readDelivery, removeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import type { Sent } from "../../../src/pipeline/delivery/context.ts";
import { record } from "../../../src/pipeline/delivery/record.ts";
import { filesIn, prepareDue, slack } from "./due.ts";

async function prepare(outcome: Outcome, ...given: Parameters<typeof prepareDue>) {
  const prepared = await prepareDue(...given);
  const { tools, queue, now, files } = prepared;
  const { layout } = tools.dispatcher;
  const sentOf = (file: string): Sent => {
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status !== "read") throw new Error(reading.status);
    const attempt = { state: readChannelState(tools.dispatcher, "team"), outcome, startedAt: now, secretsDigest: "d" };
    return { queue, result: { file, delivery: reading.delivery, attempt } };
  };
  return { ...prepared, layout, sentOf, sent: sentOf(files[0] ?? "") };
}

it("what was delivered leaves the outbox and its queue, and what it replaces is taken back beside the next one", async () => {
  const { sent, tools, queue, layout, journal } = await prepare(delivered(), [{}]);
  let jobs = 0;
  expect(record(sent, { ...tools, runBeside: () => (jobs += 1) })).toMatchObject({ state: { next: "done" } });
  expect([filesIn(queue), listDeliveries(layout, "outbox"), jobs]).toEqual([[], [], 1]);
  expect(journal("attempt")).toMatchObject([{ outcome: "delivered", attempt: 1, next: "done" }]);
});

it("what failed is tried again, and its queue goes on with the others", async () => {
  const { sent, tools, queue, files, now } = await prepare(failed("network", "refused"), [{}, {}]);
  expect(record(sent, tools)).toMatchObject({ state: { next: "retry" } });
  expect(queue.waiting.get(files[0] ?? "")?.notBefore).toBeGreaterThan(now);
  expect([queue.next(now), queue.closedUntil]).toEqual([{ send: files[1] }, 0]);
});

it("where the secret is missing, the whole queue waits for it", async () => {
  const { sent, tools, queue, now } = await prepare(failed("missingSecret", "no url"), [{}, {}]);
  expect(record(sent, tools)).toMatchObject({ state: { next: "retry" } });
  expect(queue.lacksSecret).toBe(true);
  expect(queue.next(now)).toEqual({ at: queue.closedUntil });
  expect(queue.closedUntil).toBeGreaterThan(now);
});

it("what will never be taken is a dead letter", async () => {
  const { sent, tools, queue, files, layout } = await prepare(failed("rejected", "too long"), [{}]);
  expect(record(sent, tools)).toMatchObject({ state: { next: "dead", added: [] } });
  expect([filesIn(queue), listDeliveries(layout, "dead")]).toEqual([[], files]);
});

it("a failure is not recorded without the lease, and stays with its queue", async () => {
  const { sent, tools, queue, files, journal } = await prepare(failed("network", "refused"), [{}], slack, {
    isLost: true,
  });
  expect(record(sent, tools)).toMatchObject({ ended: "deferred" });
  expect([queue.unrecorded, filesIn(queue), journal("attempt")]).toEqual([sent.result, files, []]);
});

it("a result stays with its queue until the disk takes it, and is recorded once", async () => {
  const { sent, tools, queue, now, journal } = await prepare(failed("rejected", "too long"), [{}, {}]);
  const { dispatcher } = tools;
  const broken = { ...dispatcher, layout: { ...dispatcher.layout, dead: `${dispatcher.layout.dead}/none` } };
  expect(() => record(sent, { ...tools, dispatcher: broken })).toThrow("ENOENT");
  expect([queue.unrecorded, queue.next(now)]).toEqual([sent.result, { send: sent.result.file }]);
  record(sent, tools);
  expect([queue.unrecorded, journal("attempt").length]).toEqual([undefined, 1]);
});

it("two channels with the same fallback use it once, also where the first message has left the outbox", async () => {
  const passedOn = ({ event, message }: Delivery) => {
    const same = { ...event, id: "evt_same" };
    return { event: same, fallback: [{ channel: "team", event: same, message }] };
  };
  const { sentOf, tools, layout, files } = await prepare(failed("unavailable", "no screen"), [passedOn, passedOn]);
  const [first, second] = files.map(sentOf);
  if (first === undefined || second === undefined) throw new Error("nothing was sent");
  const recorded = record(first, tools);
  expect(recorded).toMatchObject({ state: { added: [{ delivery: { channel: "team" } }] } });
  for (const file of listDeliveries(layout, "outbox"))
    if (!files.includes(file)) removeDelivery(layout, "outbox", file);
  expect(record(second, tools)).toMatchObject({ state: { added: [] } });
});
