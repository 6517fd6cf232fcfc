// What happens to deliveries whose sync fails: the payload makes them again, unless another dispatcher has made them by now.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deliveryFileName, newDelivery, placeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { Commits } from "../../../src/pipeline/event/commit.ts";
import { eventOf, noon } from "../../policies/messages.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

async function failing(hasLease: () => boolean) {
  const { dispatcher } = prepareDispatcher();
  const { layout } = dispatcher;
  const deliveries = ["first", "second"].map((channel, order) => {
    const event = eventOf("Stop");
    const message = { title: "done", body: "", level: event.level, fields: [] };
    const delivery = newDelivery(noon, { kind: "event", channel, rule: "all", event, message, expiresAt: noon + 1000 });
    const file = deliveryFileName("1-2-3", order, delivery.id);
    placeDelivery(layout, file, delivery);
    return { file, delivery };
  });
  const [first, second] = deliveries.map(({ file }) => join(layout.outbox, file));
  // The next holder of the lease has sent it.
  rmSync(first ?? "");
  const failed: string[] = [];
  const committed: unknown[] = [];
  const commits = new Commits(dispatcher, {
    hasLease,
    hasBacklog: () => false,
    onCommitted: (enqueued) => committed.push(enqueued),
    onFailed: (files) => failed.push(...files),
    wake: () => {},
  });
  commits.add("1-2-3.json", { deliveries });
  commits.start();
  await commits.finish();
  expect(() => commits.throwFailure()).toThrow(/ENOENT/);
  expect(() => commits.throwFailure()).not.toThrow();
  expect([committed, failed]).toEqual([[], deliveries.map(({ file }) => file)]);
  return existsSync(second ?? "");
}

it("are removed, all of an event or none, since the payload waits in incoming/", async () => {
  expect(await failing(() => true)).toBe(false);
});

it("are left where the disk does not say who has the lease", async () => {
  const fails = () => {
    throw Object.assign(new Error("read"), { code: "EACCES" });
  };
  expect(await failing(fails)).toBe(true);
});

it("are left to the dispatcher that has the lease by now: it may have sent some of them, and no payload makes the others again", async () => {
  expect(await failing(() => false)).toBe(true);
});
