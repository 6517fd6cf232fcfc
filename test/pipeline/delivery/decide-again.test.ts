// Deliveries that waited together are decided by what their sessions are when the last look for the person has ended.
import { expect, it } from "vitest";
import { decideAgain } from "../../../src/pipeline/delivery/decide-again.ts";
import { ChannelQueues } from "../../../src/pipeline/delivery/queue/channel-queues.ts";
import { deliveryFileName, newDelivery, writeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { writeLimit } from "../../../src/outbox/shared/limits.ts";
import { uniqueName } from "../../../src/system/files/files.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { prepareDue } from "./due.ts";

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
