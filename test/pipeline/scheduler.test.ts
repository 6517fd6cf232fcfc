// What changes while deliveries wait for the disk counts for them, too, once they are there.
import { expect, it, onTestFinished } from "vitest";
import { holdLease } from "../../src/outbox/lease/lease.ts";
import { Scheduler } from "../../src/pipeline/scheduler.ts";
import { newDelivery } from "../../src/outbox/deliveries/deliveries.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";

async function prepareScheduler() {
  const { dispatcher, writeRules, clock } = prepareDispatcher();
  writeRules({ channels: {}, rules: [] });
  await dispatcher.rereadRules();
  const lease = holdLease({ renew: () => true, setTrouble: () => {}, release: () => {} }, clock);
  onTestFinished(() => lease.stop());
  const questionsAndClicks = { untilOver: () => new AbortController().signal, watchClick: () => ({}) as never };
  const scheduler = new Scheduler(dispatcher, lease, questionsAndClicks, () => {});
  const now = clock.now();
  const held = ["s1", "s2"].map((session, order) => {
    const event = {
      id: `evt_${session}`,
      name: "Stuck",
      agent: "claude-code",
      session,
      cwd: "",
      project: "shop-web",
      host: "testhost",
      at: new Date(now).toISOString(),
      level: "attention" as const,
    };
    const message = { title: "stuck", body: "", level: event.level, fields: [] };
    const given = { kind: "stuck" as const, channel: "desk", rule: "all", event, message, expiresAt: now + 3_600_000 };
    const delivery = {
      ...newDelivery(now, given),
      notBefore: now + 60_000,
      hold: { by: "stuck", why: "", gather: "" },
    };
    return { file: `${now}-0-${order}.json`, delivery };
  });
  // The first look at the rules asks about everything.
  scheduler.queues();
  scheduler.expect(held.map(({ file }) => file));
  return {
    scheduler,
    held,
    now,
    async changeRules() {
      clock.turn(1000);
      writeRules({ channels: {}, rules: [], mutes: [] });
      await dispatcher.rereadRules();
    },
    times: () => scheduler.queues().flatMap(({ waiting }) => [...waiting.values()].map(({ notBefore }) => notBefore)),
  };
}

it("asks attention again about what it holds of a session that has changed meanwhile, and of no other", async () => {
  const { scheduler, held, now, times } = await prepareScheduler();
  scheduler.reconsiderSession("s1");
  scheduler.take({ deliveries: held });
  expect(times()).toEqual([now, now + 60_000]);
});

it("asks attention again about everything when the rules have changed meanwhile, however the disk takes its turns", async () => {
  const { scheduler, held, now, times, changeRules } = await prepareScheduler();
  await changeRules();
  scheduler.queues();
  for (const each of held) scheduler.take({ deliveries: [each] });
  expect(times()).toEqual([now + 1000, now + 1000]);
});
