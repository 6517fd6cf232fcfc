import { expect, it } from "vitest";
import { readChannelState } from "../../../src/pipeline/channel/endpoint-policy.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { removeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeEndpoint } from "../../../src/outbox/endpoints.ts";
import type { ChannelCall } from "../../../src/pipeline/delivery/context.ts";
import { open } from "../../../src/pipeline/delivery/open.ts";
import { filesIn, prepareDue, slack } from "./due.ts";

async function prepare(...given: Parameters<typeof prepareDue>) {
  const prepared = await prepareDue(...given);
  const { due, tools } = prepared;
  return { ...prepared, context: () => ({ ...due, state: readChannelState(tools.dispatcher, "team") }) };
}

it("a channel that is closed closes its queue until it opens, at most for as long as no one is asked", async () => {
  const { context, tools, queue, now } = await prepare([{}]);
  for (const [inMs, closedMs] of [
    [5000, 5000],
    [60_000, 15_000],
  ] as const) {
    writeEndpoint(tools.dispatcher.layout, { channel: "team", writtenAt: now, notBefore: now + inMs });
    expect(await open(context(), tools)).toMatchObject({ ended: "deferred" });
    expect(queue.closedUntil).toBe(now + closedMs);
  }
});

it("nothing is sent without the lease", async () => {
  const { context, tools, queue, files } = await prepare([{}], slack, { isLost: true });
  expect(await open(context(), tools)).toMatchObject({ ended: "deferred" });
  expect(filesIn(queue)).toEqual(files);
});

it("what has left the outbox leaves its queue", async () => {
  const { context, tools, queue, files } = await prepare([{}]);
  removeDelivery(tools.dispatcher.layout, "outbox", files[0] ?? "");
  expect(await open(context(), tools)).toEqual({ ended: "gone", why: "its file has left the outbox" });
  expect(filesIn(queue)).toEqual([]);
});

it("the channel is called with its secrets, for this attempt alone", async () => {
  const { context, tools, due } = await prepare([{}]);
  due.waiting.claim = { note: "box2 is away" };
  const opened = await open(context(), tools);
  expect(opened).toMatchObject({ note: "box2 is away", attempt: { how: "call", channel: { name: "team" } } });
  expect(due.waiting.claim).toBeUndefined();
});

const secret = { type: "slack", url: { env: "HOOKBELL_TEST_NONE" } };
const passedOn = ({ event, message }: Delivery) => ({ fallback: [{ channel: "other", event, message }] });

it.each<[string, Parameters<typeof prepareDue>, string]>([
  ["what is too old", [[{ expiresAt: 0 }]], "expired"],
  ["what is too old from this moment on", [[({ createdAt }) => ({ expiresAt: createdAt })]], "expired"],
  ["a channel without its secret", [[{}], secret], "missingSecret"],
  ["a channel without its secret, where another may show the message", [[passedOn], secret], "unavailable"],
])("the outcome is known without asking the receiver: %s", async (_what, given, reason) => {
  const { context, tools } = await prepare(...given);
  expect(await open(context(), tools)).toMatchObject({ attempt: { how: "known", outcome: { reason } } });
});

it("a channel that the rules have no more, and one that is switched off, are not asked", async () => {
  const { context, tools, writeRules } = await prepare([{}]);
  const opened = await open(context(), tools);
  const { channel, ready } = (opened as { attempt: ChannelCall }).attempt;
  const settings = { fingerprint: channel.fingerprint, secretsDigest: ready.secretsDigest };
  const switchedOff = { reason: "gone" as const, detail: "it is archived", at: 0, ...settings };
  writeEndpoint(tools.dispatcher.layout, { channel: "team", switchedOff });
  expect(await open(context(), tools)).toMatchObject({ attempt: { how: "known", outcome: { reason: "gone" } } });
  writeRules({ channels: {}, rules: [] });
  await tools.dispatcher.rereadRules();
  expect(await open(context(), tools)).toMatchObject({ attempt: { how: "known", outcome: { reason: "unavailable" } } });
});

it("what takes messages back needs no channel", async () => {
  const { context, tools } = await prepare([{ kind: "retraction", why: "it was a sample", expiresAt: 0 }], secret);
  expect(await open(context(), tools)).toMatchObject({ attempt: { how: "retract" } });
});

it("a list of sessions that wait no more is not shown, and any other message is", async () => {
  const { context, tools } = await prepare([{ kind: "list" }]);
  const detail = "not shown: no session waits any more";
  expect(await open(context(), tools)).toMatchObject({
    attempt: { how: "known", outcome: { status: "delivered", detail } },
  });
});
