import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Claims } from "../../../src/wings/fleet/buckets/claims.ts";
import { buckets, entryKey } from "../../../src/wings/fleet/names.ts";
import { listNames } from "../../../src/system/files/files.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const member = { org: "acme", person: "ada", host: "laptop" };
const event = { eventId: "evt_0123456789abcdef01234567", origin: "laptop" };
const ended = "may be a repeat: hookbell was ended while it told you";

/** A broker that takes every claim, and processes of one machine, one after the other. */
function machine() {
  const layout = temporaryState();
  const broker = { isUp: false, nowMs: 1000, written: [] as string[] };
  let runs = 0;
  const start = (): Claims =>
    new Claims({
      layout,
      nats: {
        put: (_, key, value) => Promise.resolve(broker.written.push(`${key} ${value}`)),
        isUp: () => broker.isUp,
      },
      member,
      run: `r${(runs += 1)}`,
      now: () => broker.nowMs,
      clockAheadMs: () => 0,
      isFreshest: () => true,
      isElsewhere: () => false,
      onToldAlone: () => {},
      onFailed: () => {},
    });
  return { layout, broker, start, remembered: () => listNames(join(layout.root, "fleet/claims")) };
}

it.each([
  ["still is away", false],
  ["is back", true],
])("marks what an earlier process may have told without the broker, which %s", async (_, isUp) => {
  const { layout, broker, start } = machine();
  writeFileSync(join(layout.outbox, "1.json"), "{}");
  expect(await start().turn(event, "1.json", false)).toEqual({ next: "tell", note: undefined });
  broker.isUp = isUp;
  expect(await start().turn(event, "1.json", false)).toEqual({ next: "tell", note: ended });
});

it("does not mark the message of another channel, which was never sent", async () => {
  const { start } = machine();
  await start().turn(event, "1.json", false);
  expect(await start().turn(event, "2.json", false)).toEqual({ next: "tell", note: undefined });
});

it("does not mark what an earlier process has only claimed", async () => {
  const { broker, start } = machine();
  broker.isUp = true;
  await start().reserve(event, "1.json", false);
  expect(await start().turn(event, "1.json", false)).toEqual({ next: "tell", note: undefined });
});

it("forgets what was told without a claim when its message has gone", async () => {
  const { layout, broker, start, remembered } = machine();
  const claims = start();
  writeFileSync(join(layout.outbox, "1.json"), "{}");
  await claims.turn(event, "1.json", false);
  broker.isUp = true;
  await claims.look();
  expect([remembered(), claims.isBusy()]).toEqual([[`${event.eventId}.json`], true]);
  unlinkSync(join(layout.outbox, "1.json"));
  await claims.look();
  expect([remembered(), claims.isBusy()]).toEqual([[], false]);
});

it("forgets old claims of others, also those that came after one that is renewed", async () => {
  const { broker, start } = machine();
  const claims = start();
  broker.isUp = true;
  const note = (eventId: string, revision: number): void => {
    const claim = { host: "box", run: "r", state: "told", repeats: 0, asks: true };
    const key = entryKey(member, eventId);
    claims.note({ key, value: JSON.stringify(claim), revision, createdMs: broker.nowMs });
  };
  note("evt_renewed", 1);
  note("evt_old", 2);
  broker.nowMs += 1;
  note("evt_renewed", 3);
  broker.nowMs += buckets.claims.maxAgeMs;
  await claims.look();
  const askedOn = (eventId: string): string | undefined => claims.askedOn({ eventId, origin: "laptop" });
  expect([askedOn("evt_renewed"), askedOn("evt_old")]).toEqual(["box", undefined]);
});
