import { expect, it } from "vitest";
import { Claims } from "../../../src/wings/fleet/buckets/claims.ts";
import { entryKey, presenceKey } from "../../../src/wings/fleet/names.ts";
import { createPresence } from "../../../src/wings/fleet/buckets/presence.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const member = { org: "acme", person: "ada", host: "laptop" };
const event = { eventId: "evt_0123456789abcdef01234567", origin: "laptop" };
/** What a member can have the broker write to any key. */
const answers = ['{"stream":"EVENTS","seq":7}', '{"type":"io.nats.jetstream.api.v1.consumer_create_response"}', ""];

it.each(answers)("an answer of the broker claims no event: %s", async (value) => {
  const written: unknown[] = [];
  const put = (...given: unknown[]): Promise<number> => Promise.resolve(written.push(given));
  const claims = new Claims({
    layout: temporaryState(),
    nats: { put, isUp: () => true },
    member,
    run: "r1",
    now: () => 1000,
    clockAheadMs: () => 0,
    isFreshest: () => true,
    isElsewhere: () => false,
    onToldAlone: () => {},
    onFailed: () => {},
  });
  claims.note({ key: entryKey(member, event.eventId), value, revision: 7, createdMs: 900 });
  expect(await claims.turn(event, "file", false)).toMatchObject({ next: "tell" });
  // With its revision, the broker lets this machine replace it.
  expect(written).toEqual([["claims", entryKey(member, event.eventId), expect.stringContaining('"sending"'), 7]]);
});

it.each(answers)("an answer of the broker is no heartbeat: %s", async (value) => {
  const presence = createPresence(
    { put: () => Promise.resolve(1) },
    member,
    () => 1000,
    () => Promise.resolve({}),
  );
  await presence.beat();
  presence.note({ key: presenceKey(member), value, revision: 7, createdMs: 900 });
  expect(presence.isFreshest("laptop")).toBe(false);
  expect(presence.clockAheadMs()).toBe(undefined);
});
