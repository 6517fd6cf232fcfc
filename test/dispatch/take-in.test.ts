import { expect, it } from "vitest";
import { takeInBatch } from "../../src/dispatch/take-in.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";

async function withPayloads(count: number): Promise<ReturnType<typeof prepareDispatcher>> {
  const running = prepareDispatcher();
  running.writeRules({ channels: {}, rules: [] });
  for (let index = 0; index < count; index += 1) running.accept("Stop", { session_id: `s${index}` });
  await running.dispatcher.rereadRules();
  return running;
}

it("renews the lease for each payload, and stops where it is lost", async () => {
  const { dispatcher } = await withPayloads(5);
  let renewals = 0;
  await takeInBatch(
    dispatcher,
    listIncoming(dispatcher.layout),
    () => (renewals += 1) <= 2,
    () => {},
  );
  expect(renewals).toBe(3);
  expect(listIncoming(dispatcher.layout)).toHaveLength(3);
});

it("hands over what it has when its time is up, so that a slow payload holds nothing back", async () => {
  const running = await withPayloads(10);
  const { dispatcher } = running;
  const backlog = listIncoming(dispatcher.layout);
  const slow = { ...dispatcher, rules: () => (running.clock.set(running.clock.now() + 100), dispatcher.rules()) };
  await takeInBatch(
    slow,
    backlog,
    () => true,
    () => {},
  );
  expect(backlog.length).toBeGreaterThan(5);
  expect(listIncoming(dispatcher.layout)).toEqual(backlog);
});
