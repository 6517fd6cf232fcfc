import { describe, expect, it } from "vitest";
import { readChannelState } from "../../../src/pipeline/channel/endpoint-policy.ts";
import { delivered, failed, type Outcome } from "../../../src/model/outcome.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { listDeliveries, readDelivery, removeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import type { Sent } from "../../../src/pipeline/delivery/context.ts";
import { record } from "../../../src/pipeline/delivery/record.ts";
import { readSession, writeSession } from "../../../src/outbox/sessions.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { madeUpSecrets } from "../../support/channels/made-up-secrets.ts";
import { filesIn, hourMs, prepareDue, slack } from "./due.ts";

async function prepare(outcome: Outcome, ...given: Parameters<typeof prepareDue>) {
  const prepared = await prepareDue(...given);
  const { tools, queue, now, files } = prepared;
  const { layout } = tools.dispatcher;
  const sentOf = (file: string): Sent => {
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status !== "read") throw new Error(reading.status);
    const attempt = {
      state: readChannelState(tools.dispatcher, queue.channel),
      outcome,
      startedAt: now,
      secretsDigest: "d",
    };
    return { queue, result: { file, delivery: reading.delivery, attempt, trace: [] } };
  };
  const read = (folder: "outbox" | "dead", file = files[0] ?? ""): Delivery => {
    const reading = readDelivery(layout, folder, file);
    if (reading.status !== "read") throw new Error(reading.status);
    return reading.delivery;
  };
  return { ...prepared, layout, read, sentOf, sent: sentOf(files[0] ?? "") };
}

const unavailable = failed("unavailable", "no screen");
/** The next channel's message, under an id of its own. */
const passedOn =
  (channel: string) =>
  ({ event, message }: Delivery) => ({
    fallback: [{ channel, event: { ...event, id: "evt_else" }, message }],
  });
const other = passedOn("team");

it("what was delivered leaves the outbox and its queue, and what it replaces is taken back beside the next one", async () => {
  const { sent, tools, queue, layout, journal } = await prepare(delivered(), [{}]);
  let jobs = 0;
  expect(record(sent, { ...tools, runBeside: () => (jobs += 1) })).toMatchObject({ state: { next: "done" } });
  expect([filesIn(queue), listDeliveries(layout, "outbox"), jobs]).toEqual([[], [], 1]);
  expect(journal("attempt")).toMatchObject([{ outcome: "delivered", attempt: 1, next: "done" }]);
});

it("what failed is tried again, and its queue goes on with the others", async () => {
  const { sent, tools, queue, files, now, read, journal } = await prepare(failed("network", "refused"), [{}, {}]);
  expect(record(sent, tools)).toMatchObject({ state: { next: "retry" } });
  const notBefore = queue.waiting.get(files[0] ?? "")?.notBefore ?? 0;
  expect(notBefore).toBeGreaterThan(now);
  const lastFailure = { reason: "network", detail: "refused", at: now };
  expect(read("outbox")).toMatchObject({ attempts: 1, notBefore, lastFailure });
  expect(journal("attempt")).toMatchObject([{ reason: "network", detail: "refused", next: "retry" }]);
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
  const { sent, tools, queue, files, layout, read, now } = await prepare(failed("rejected", "too long"), [other]);
  expect(record(sent, tools)).toMatchObject({ state: { next: "dead", added: [] } });
  expect([filesIn(queue), listDeliveries(layout, "dead")]).toEqual([[], files]);
  expect(read("dead").lastFailure).toEqual({ reason: "rejected", detail: "too long", at: now });
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
  const alike = ({ event, message }: Delivery) => {
    const same = { ...event, id: "evt_same" };
    return { event: same, fallback: [{ channel: "team", event: same, message }] };
  };
  const { sentOf, tools, layout, files } = await prepare(failed("unavailable", "no screen"), [alike, alike]);
  const [first, second] = files.map(sentOf);
  if (first === undefined || second === undefined) throw new Error("nothing was sent");
  const recorded = record(first, tools);
  expect(recorded).toMatchObject({ state: { added: [{ delivery: { channel: "team" } }] } });
  for (const file of listDeliveries(layout, "outbox"))
    if (!files.includes(file)) removeDelivery(layout, "outbox", file);
  expect(record(second, tools)).toMatchObject({ state: { added: [] } });
});

it.each([
  ["where a repetition does no harm", { type: "webhook", url: "https://vendor.example/hook" }, "retry"],
  ["where a person would read it twice", { type: "command", argv: ["true"] }, "dead"],
])("what may have arrived is sent again only %s", async (_where, channel, next) => {
  const { sent, tools } = await prepare(failed("unknown", "the connection broke"), [{}], channel);
  expect(record(sent, tools)).toMatchObject({ state: { next } });
});

it("what may have arrived is a dead letter where its channel is gone from the rules", async () => {
  const { sentOf, tools, writeRules, files } = await prepare(failed("unknown", "the connection broke"), [{}]);
  writeRules({ channels: {}, rules: [] });
  await tools.dispatcher.rereadRules();
  expect(record(sentOf(files[0] ?? ""), tools)).toMatchObject({ state: { next: "dead" } });
});

describe("what this machine cannot show", () => {
  const desktop = { type: "desktop" };
  const builtIn = { name: "desktop" };
  const toItself = passedOn("desktop");

  it.each<[string, Parameters<typeof prepareDue>, "done" | "dead", number]>([
    ["leaves no dead letter where another channel was chosen as well", [[{}], desktop, builtIn], "done", 0],
    ["is kept where nothing else is told of the event", [[{ isOnlyHere: true }], desktop, builtIn], "dead", 0],
    [
      "need not be kept where the next channel gets it",
      [[(usual) => ({ isOnlyHere: true, ...toItself(usual) })], desktop, builtIn],
      "done",
      1,
    ],
    ["is kept where the user has made the channel", [[{}], desktop], "dead", 0],
    [
      "is kept where the user has made the channel, and the next channel gets it as well",
      [[other], desktop],
      "dead",
      1,
    ],
  ])("%s", async (_what, given, next, added) => {
    const { sent, tools, layout, files } = await prepare(unavailable, ...given);
    const recorded = record(sent, tools);
    expect(recorded).toMatchObject({ state: { next, added: Array.from({ length: added }, () => ({})) } });
    expect(listDeliveries(layout, "outbox")).toHaveLength(added);
    expect(listDeliveries(layout, "dead")).toEqual(next === "dead" ? files : []);
  });

  it("is kept where its channel fails for another reason", async () => {
    const { sent, tools } = await prepare(failed("rejected", "too long"), [{}], desktop, builtIn);
    expect(record(sent, tools)).toMatchObject({ state: { next: "dead" } });
  });
});

describe("a notice that fails", () => {
  const notice = (usual: Delivery) => ({ ...other(usual), kind: "notice" as const });

  it("goes to the next channel, whatever the reason, and leaves no dead letter", async () => {
    const { sent, tools, layout, read, journal } = await prepare(failed("rejected", "too long"), [notice]);
    const recorded = record(sent, tools);
    const [file = ""] = listDeliveries(layout, "outbox");
    expect(recorded).toMatchObject({ state: { next: "done", added: [{ file }] } });
    expect(read("outbox", file)).toMatchObject({ kind: "notice", channel: "team", fallback: [] });
    expect(listDeliveries(layout, "dead")).toEqual([]);
    expect(journal("decision")).toMatchObject([{ why: '"team" is not available; the next channel gets the message' }]);
  });

  it("does not go to the next channel if it may have arrived", async () => {
    const { sent, tools } = await prepare(failed("unknown", "broke"), [notice], { type: "command", argv: ["true"] });
    expect(record(sent, tools)).toMatchObject({ state: { next: "dead", added: [] } });
  });

  it("is a dead letter where there is no next channel, but for a channel that is not the user's", async () => {
    const own = await prepare(failed("rejected", "too long"), [{ kind: "notice" }]);
    expect(record(own.sent, own.tools)).toMatchObject({ state: { next: "dead" } });
    const foreign = await prepare(failed("rejected", "too long"), [{ kind: "notice" }]);
    foreign.writeRules({ channels: {}, rules: [] });
    await foreign.tools.dispatcher.rereadRules();
    expect(record(foreign.sent, foreign.tools)).toMatchObject({ state: { next: "done", added: [] } });
    expect(listDeliveries(foreign.layout, "outbox")).toEqual([]);
    const event = await prepare(failed("rejected", "too long"), [{}]);
    event.writeRules({ channels: {}, rules: [] });
    await event.tools.dispatcher.rereadRules();
    expect(record(event.sent, event.tools)).toMatchObject({ state: { next: "dead" } });
  });
});

describe("the message for the next channel", () => {
  it("has the words that this channel may say, expires by its own time, and passes on what is left of the chain", async () => {
    const { sent, tools, layout, read, now, journal } = await prepare(
      unavailable,
      [
        ({ event, message }) => ({
          escalatesAfterMs: 60_000,
          fallback: [
            { channel: "team", event: { ...event, id: "evt_first" }, message: { ...message, title: "shorter" } },
            { channel: "later", event, message },
          ],
        }),
      ],
      { ...slack, expireAfter: "3h" },
      { ageMs: hourMs },
    );
    record(sent, tools);
    const [file = ""] = listDeliveries(layout, "outbox");
    const second = read("outbox", file);
    expect(second).toMatchObject({
      kind: "event",
      rule: "all",
      escalatesAfterMs: 60_000,
      message: { title: "shorter" },
      expiresAt: now + 2 * hourMs,
      fallback: [{ channel: "later" }],
    });
    expect(second.claimedUntil).toBeUndefined();
    expect(journal("decision")).toMatchObject([
      {
        event: "evt_0",
        deliveries: [{ id: second.id, channel: "team", rule: "all" }],
        why: '"team" is not available on this machine; its fallback gets the message',
      },
    ]);
  });

  it("is left to the command in the foreground that makes it", async () => {
    const { sent, tools, layout, read, now } = await prepare(unavailable, [other]);
    record(sent, { ...tools, dispatcher: { ...tools.dispatcher, isForeground: true } });
    expect(read("outbox", listDeliveries(layout, "outbox")[0]).claimedUntil).toBeGreaterThan(now);
  });

  it("is not made where its channel is gone, or there is none", async () => {
    const { sentOf, files, tools, layout } = await prepare(unavailable, [passedOn("gone"), {}]);
    for (const file of files) expect(record(sentOf(file), tools)).toMatchObject({ state: { next: "dead", added: [] } });
    expect(listDeliveries(layout, "outbox")).toEqual([]);
  });
});

describe("the journal's line about an attempt", () => {
  const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";

  it("says what it was about, without credentials", async () => {
    const words = {
      message: `pushed with ${token}`,
      sessionName: `fix ${token}`,
      project: `shop ${token}`,
      name: `Stop ${token}`,
    };
    const { sent, tools, journal } = await prepare(delivered(), [({ event }) => ({ event: { ...event, ...words } })]);
    record(sent, tools);
    const [line] = journal("attempt");
    expect(line?.about).toEqual({
      agent: "droid",
      project: "shop [redacted: GitHub token]",
      event: "Stop [redacted: GitHub token]",
      sessionName: "fix [redacted: GitHub token]",
      words: "pushed with [redacted: GitHub token]",
    });
  });

  it("names no more than there is", async () => {
    const { sent, tools, journal } = await prepare(delivered(), [{}]);
    record(sent, tools);
    expect(journal("attempt")[0]?.about).toEqual({ agent: "droid", project: "shop", event: "Stop" });
  });
});

it.each([
  ["the place of the message that rang is the list's now", true, undefined],
  ["the message that rang keeps its place beside the list", false, { ts: "1" }],
])("%s", async (_what, hasTakenPlace, left) => {
  const { sent, tools, layout, now } = await prepare(delivered({ remember: { ts: "1" } }), [{}]);
  const rang = { agent: "droid", session: "s9" };
  writeSession(layout, recordOf({ ...rang, lastSeenAt: now, remembered: { team: { ts: "1" } } }));
  const list = { delivery: { ...sent.result.delivery, joins: rang }, key: "k", hasTakenPlace };
  record({ ...sent, result: { ...sent.result, list } }, tools);
  expect(readSession(layout, rang.agent, rang.session).remembered.team).toEqual(left);
  const alone = { delivery: sent.result.delivery, key: "k", hasTakenPlace: true };
  expect(record({ ...sent, result: { ...sent.result, list: alone } }, tools)).toMatchObject({
    state: { next: "done" },
  });
});
