// Deliveries that waited together are decided by what their sessions are when the last look for the person has ended.
import { describe, expect, it } from "vitest";
import { readBuckets, writeRinging } from "../../../src/outbox/attention.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { collect } from "../../../src/pipeline/delivery/collect.ts";
import { decideAgain } from "../../../src/pipeline/delivery/decide-again.ts";
import { ChannelQueues } from "../../../src/pipeline/delivery/queue/channel-queues.ts";
import {
  deliveryFileName,
  listDeliveries,
  newDelivery,
  readDelivery,
  removeDelivery,
  writeDelivery,
} from "../../../src/outbox/deliveries/deliveries.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { writeLimit } from "../../../src/outbox/shared/limits.ts";
import { usageLimitSession } from "../../../src/model/own-events.ts";
import { ringingAfter } from "../../../src/policies/together.ts";
import { uniqueName } from "../../../src/system/files/files.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { filesIn, hourMs, prepareDue, slack } from "./due.ts";

it("drops the first of two that waited together if it is answered while the person is looked for", async () => {
  const { dispatcher, writeRules, clock } = prepareDispatcher();
  const { layout } = dispatcher;
  writeRules({
    channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/x" } },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["desk"], away: "1m" }],
  });
  await dispatcher.rereadRules();
  const now = clock.now();
  const files = ["s1", "s2"].map((session, order) => {
    const event = {
      id: `evt_${session}`,
      name: "PermissionRequest",
      agent: "claude-code",
      session,
      cwd: "/home/u/shop-web",
      project: "shop-web",
      host: "testhost",
      at: new Date(now).toISOString(),
      level: "attention" as const,
    };
    const message = { title: "shop-web asks", body: "", level: event.level, fields: [] };
    const given = { kind: "event" as const, channel: "desk", rule: "asks", event, message, expiresAt: now + 3_600_000 };
    const delivery = { ...newDelivery(now, given), hold: { by: "group", why: "grouped", gather: "g" }, notBefore: now };
    const file = deliveryFileName(uniqueName(now), order, delivery.id);
    writeDelivery(layout, "outbox", file, delivery);
    writeSession(
      layout,
      recordOf({ agent: event.agent, session, open: [{ id: event.id, at: now, name: event.name }] }),
    );
    return file;
  });
  let looks = 0;
  dispatcher.observePresence = async () => {
    looks += 1;
    if (looks === 2) {
      const closed = [{ id: "evt_s1", afterMs: 100 }];
      writeSession(layout, recordOf({ agent: "claude-code", session: "s1", lastSeenAt: now, closed }));
    }
    return { idleMs: 600_000 };
  };
  const queues = new ChannelQueues(dispatcher);
  queues.takeUpAll();
  const [queue] = queues.byChannel.values();
  const [waiting] = queue?.waiting.values() ?? [];
  if (queue === undefined || waiting === undefined) throw new Error("nothing waits");
  const lease = { renew: () => true };
  const context = { queue, waiting, together: files, isDue: true };
  expect(await decideAgain(context, { dispatcher, queues, lease })).toMatchObject({ released: [files[1]] });
  expect([...queue.waiting.values()]).toMatchObject([{ file: files[1], deferred: undefined }]);
});

it.each(["limitReached", "event"] as const)("what has waited goes by its kind: %s", async (kind) => {
  const hold = { by: "quietHours", why: "it was night" };
  const { dispatcher, due, tools, files, now } = await prepareDue([
    ({ event }) => ({ kind, hold, event: { ...event, name: "LimitReached", session: "usage-limit" } }),
  ]);
  const told = { since: now, until: now + 60_000, event: "evt_newer", channels: [] };
  writeLimit(dispatcher.layout, "droid", { told, references: {} });
  const decided = await decideAgain({ ...due, together: files, isDue: true }, tools);
  expect(decided).toMatchObject(kind === "event" ? { released: files } : { ended: "suppressed" });
});

const minuteMs = 60_000;
const away = { rule: { away: "1m" } };
const deferredBy = (by: string, gather?: string) => ({ hold: { by, why: "it waits", gather } });

/** The person has done nothing for so long. */
async function prepareIdle(idleMs: number | undefined, ...given: Parameters<typeof prepareDue>) {
  const prepared = await prepareDue(...given);
  const { dispatcher } = prepared.tools;
  if (idleMs !== undefined) dispatcher.observePresence = async () => ({ idleMs });
  const read = (file = ""): Delivery | string => {
    const reading = readDelivery(dispatcher.layout, "outbox", file);
    return reading.status === "read" ? reading.delivery : reading.status;
  };
  return {
    ...prepared,
    read,
    decide: async () => await decideAgain(collect(prepared.due, prepared.tools), prepared.tools),
  };
}

describe("a delivery that no policy defers", () => {
  it("is released without another look at its session or for the person", async () => {
    const { decide, files, journal } = await prepareIdle(0, [{}], slack, away);
    expect(await decide()).toMatchObject({ released: files });
    expect(journal()).toEqual([]);
  });
});

describe("a deferred delivery", () => {
  it("is released at once where its policy objects no more, and its channel's journal says so", async () => {
    const { decide, files, queue, now, journal, read } = await prepareIdle(
      5 * minuteMs,
      [deferredBy("presence")],
      slack,
      away,
    );
    expect(await decide()).toMatchObject({ released: files });
    expect([...queue.waiting.values()]).toMatchObject([{ deferred: undefined, notBefore: now }]);
    expect(journal("attention")).toMatchObject([
      { delivery: (read(files[0]) as Delivery).id, channel: "team", verdict: "send", by: "presence", why: "it waits" },
    ]);
    expect(journal("presence")).toMatchObject([{ session: "s0", presence: { idleMs: 5 * minuteMs } }]);
  });

  it("waits on while its policy objects, without a line in the journal each time", async () => {
    const left = (usual: Delivery) => ({ ...deferredBy("presence"), createdAt: usual.createdAt - 1 });
    const { decide, files, queue, now, journal, read } = await prepareIdle(30_000, [left], slack, {
      ...away,
      ageMs: 20_000,
    });
    expect(await decide()).toMatchObject({ ended: "deferred" });
    const until = now + 30_000;
    expect([...queue.waiting.values()]).toMatchObject([{ notBefore: until, deferred: { until } }]);
    expect(read(files[0])).toMatchObject({ notBefore: until, hold: { by: "presence" } });
    expect(journal("attention")).toEqual([]);
  });

  it("says in the journal that another policy defers it now, and until when", async () => {
    const { decide, now, journal } = await prepareIdle(30_000, [deferredBy("quietHours")], slack, {
      ...away,
      ageMs: 20_000,
    });
    expect(await decide()).toMatchObject({ ended: "deferred" });
    const until = new Date(now + 30_000).toISOString();
    expect(journal("attention")).toMatchObject([{ verdict: "hold", by: "presence", until }]);
  });

  it("leaves the outbox and its queue where a policy suppresses it", async () => {
    const { decide, queue, tools, journal } = await prepareIdle(0, [deferredBy("group")], slack, {
      ...away,
      ageMs: minuteMs,
    });
    expect(await decide()).toMatchObject({ ended: "suppressed" });
    expect([filesIn(queue), listDeliveries(tools.dispatcher.layout, "outbox")]).toEqual([[], []]);
    expect(journal("attention")).toMatchObject([{ verdict: "drop", by: "presence", why: "last input 0s ago" }]);
  });

  it("stays as it is without the lease", async () => {
    const lost = { ...away, ageMs: minuteMs, isLost: true };
    const { decide, queue, files, tools, journal } = await prepareIdle(0, [deferredBy("group")], slack, lost);
    expect(await decide()).toMatchObject({ ended: "deferred" });
    expect([filesIn(queue), listDeliveries(tools.dispatcher.layout, "outbox")]).toEqual([files, files]);
    expect(journal("attention")).toEqual([]);
  });

  it("that a command has discarded leaves its queue", async () => {
    const { decide, queue, tools, files } = await prepareIdle(5 * minuteMs, [deferredBy("group")], slack, away);
    removeDelivery(tools.dispatcher.layout, "outbox", files[0] ?? "");
    expect(await decide()).toMatchObject({ ended: "suppressed" });
    expect(filesIn(queue)).toEqual([]);
  });

  it("is released where its channel is gone, so that sending it reports that", async () => {
    const { decide, files, writeRules, tools } = await prepareIdle(0, [deferredBy("group")], slack, away);
    writeRules({ channels: {}, rules: [] });
    await tools.dispatcher.rereadRules();
    expect(await decide()).toMatchObject({ released: files });
  });

  it("is decided about by the rule of its name that notifies its channel, and the person is looked for only if that wants it", async () => {
    const { decide, files, writeRules, tools } = await prepareIdle(0, [deferredBy("group")]);
    writeRules({
      channels: { team: slack, other: { ...slack } },
      rules: [
        { name: "all", notify: ["other"], away: "1m" },
        { name: "all", notify: ["team"] },
      ],
    });
    await tools.dispatcher.rereadRules();
    let looks = 0;
    tools.dispatcher.observePresence = async () => {
      looks += 1;
      return { idleMs: 0 };
    };
    expect(await decide()).toMatchObject({ released: files });
    expect(looks).toBe(0);
  });

  it("of a turn that ended before it was stuck leaves without a line in the journal", async () => {
    const { decide, queue, journal } = await prepareIdle(undefined, [
      ({ event }: Delivery) => ({ ...deferredBy("stuck"), kind: "stuck", event: { ...event, name: "Stuck" } }),
    ]);
    expect(await decide()).toMatchObject({ ended: "suppressed" });
    expect([filesIn(queue), journal("attention")]).toEqual([[], []]);
  });
});

describe("deliveries that leave together", () => {
  const throttled = { ...slack, throttle: { messages: 5, per: "1h" } };

  it("count as one against the channel's limit, and only if any of them leaves", async () => {
    const together = [deferredBy("group", "g"), deferredBy("group", "g")];
    const released = await prepareIdle(undefined, together, throttled);
    expect(await released.decide()).toMatchObject({ released: released.files });
    const kept = await prepareIdle(0, together, throttled, { ...away, ageMs: minuteMs });
    expect(await kept.decide()).toMatchObject({ ended: "suppressed" });
    const fullAgainInMs = ({ tools, now }: typeof kept) =>
      Object.values(readBuckets(tools.dispatcher.layout)).map((fullAt) => fullAt - now);
    expect([fullAgainInMs(released), fullAgainInMs(kept)]).toEqual([[hourMs / 5], []]);
  });

  it("stay where one of them still waits, and the others go", async () => {
    const { decide, files, queue, tools, now } = await prepareIdle(
      undefined,
      [deferredBy("group", "g"), deferredBy("group", "g")],
      slack,
      away,
    );
    let looks = 0;
    tools.dispatcher.observePresence = async () => ({ idleMs: looks++ === 0 ? hourMs : 0 });
    expect(await decide()).toMatchObject({ released: [files[0]] });
    expect([...queue.waiting.values()]).toMatchObject([
      { file: files[0], deferred: undefined, notBefore: now },
      { file: files[1], deferred: { until: now + minuteMs }, notBefore: now + minuteMs },
    ]);
  });
});

describe("what is on the disk after a decision", () => {
  /** An hour ago or in two hours, whenever the test runs. */
  const inHours = (hours: number) => `${String((new Date().getHours() + 24 + hours) % 24).padStart(2, "0")}:00`;
  const night = { more: { quietHours: { ranges: [{ from: inHours(-1), to: inHours(2) }] } } };

  it("is the newest reason and the newest time", async () => {
    const prepared = await prepareIdle(undefined, [deferredBy("quietHours")], slack, night);
    const { decide, read, files, tools } = prepared;
    expect(await decide()).toMatchObject({ ended: "deferred" });
    const first = read(files[0]) as Delivery;
    expect(first.hold?.why).not.toBe("it waits");
    for (const stale of [{ hold: { by: "quietHours", why: "old words" } }, { notBefore: first.notBefore + 60_000 }]) {
      writeDelivery(tools.dispatcher.layout, "outbox", files[0] ?? "", { ...first, ...stale });
      await decide();
      expect(read(files[0])).toEqual(first);
    }
  });

  it("names the session whose question has just rung, where a released one joins that", async () => {
    const asks = ({ event }: Delivery) => ({ ...deferredBy("mute"), event: { ...event, name: "PermissionRequest" } });
    for (const rings of [true, false]) {
      const { decide, read, files, tools, now } = await prepareIdle(undefined, [asks], { type: "ntfy", topic: "t" });
      const { event } = read(files[0]) as Delivery;
      const rang = { agent: "droid", session: "s9" };
      if (rings) writeRinging(tools.dispatcher.layout, ringingAfter({ ...event, ...rang }, "team", [], now));
      expect(await decide()).toMatchObject({ released: files });
      expect((read(files[0]) as Delivery).joins).toEqual(rings ? rang : undefined);
    }
  });

  it("is released at the level that the policies choose, and its fallbacks with it", async () => {
    const softened = ({ event, message }: Delivery) => ({
      ...deferredBy("mute"),
      event: { ...event, runningHelpers: 2 },
      fallback: [{ channel: "other", event, message }],
    });
    const { decide, read, files } = await prepareIdle(undefined, [softened], slack, {
      rule: { whileSubagentsRun: "soften" },
    });
    expect(await decide()).toMatchObject({ released: files });
    const level = "info";
    const { message, fallback } = read(files[0]) as Delivery;
    expect(message).toMatchObject({ level, body: "done" });
    expect(fallback).toMatchObject([{ channel: "other", message: { level } }]);
  });

  it("goes by the built-in rule that has another name now", async () => {
    const held = { ...deferredBy("presence"), rule: "broke off" };
    for (const name of ["failed", "broke off", "else"]) {
      const { decide, files } = await prepareIdle(0, [held], slack, { rule: { ...away.rule, name } });
      // Only the rule's own setting defers it again.
      expect(await decide()).toMatchObject(name === "else" ? { released: files } : { ended: "deferred" });
    }
  });

  it("says of a limit's reset which sessions can go on, and nothing is left where none can", async () => {
    const reset = ({ event, createdAt }: Delivery) => ({
      ...deferredBy("limit"),
      kind: "limitReset" as const,
      createdAt: createdAt - hourMs,
      event: { ...event, name: "LimitReset", session: usageLimitSession },
    });
    for (const waits of [true, false]) {
      const { decide, read, files, tools, now } = await prepareIdle(undefined, [reset], slack, {
        ageMs: 10 * minuteMs,
      });
      const state = { kind: "waitsForLimit", since: now - hourMs, reason: "", source: "hook" } as const;
      const record = recordOf({ agent: "droid", session: "s1", project: "shop-web", lastSeenAt: now, state });
      if (waits) writeSession(tools.dispatcher.layout, record);
      expect(await decide()).toMatchObject(waits ? { released: files } : { ended: "suppressed" });
      if (waits) expect(JSON.stringify((read(files[0]) as Delivery).message)).toContain("shop-web");
      else expect(read(files[0])).toBe("gone");
    }
  });
});

it("those of a group wait for its time, unless the queue says that it has come", async () => {
  const grouped = ({ createdAt }: Delivery) => ({ ...deferredBy("group", "g"), notBefore: createdAt + 30_000 });
  const { due, tools, files } = await prepareIdle(undefined, [grouped], slack, { rule: { group: { wait: "1m" } } });
  const context = { ...collect(due, tools), together: files };
  expect(await decideAgain({ ...context, isDue: false }, tools)).toMatchObject({ ended: "deferred" });
  expect(await decideAgain({ ...context, isDue: true }, tools)).toMatchObject({ released: files });
});

it("the journal says when the policy that deferred a message suppresses it in the end, and when a turn is stuck", async () => {
  const dropped = await prepareIdle(0, [deferredBy("presence")], slack, { ...away, ageMs: minuteMs });
  await dropped.decide();
  expect(dropped.journal("attention")).toMatchObject([{ verdict: "drop", by: "presence" }]);
  const stuck = ({ event }: Delivery) => ({
    ...deferredBy("stuck"),
    kind: "stuck" as const,
    event: { ...event, name: "Stuck" },
  });
  const watch = await prepareIdle(undefined, [stuck], slack, { ageMs: hourMs, more: { stuckAfter: "10m" } });
  const { dispatcher } = watch.tools;
  dispatcher.observeWork = () => ({});
  const since = watch.now - hourMs;
  const state = { kind: "working", since, reason: "", source: "hook", turn: { startedAt: since, helpers: 0 } } as const;
  writeSession(dispatcher.layout, recordOf({ agent: "droid", session: "s0", lastSeenAt: since, state }));
  expect(await watch.decide()).toMatchObject({ released: watch.files });
  expect(watch.journal("attention")).toMatchObject([{ verdict: "send", by: "stuck" }]);
});
