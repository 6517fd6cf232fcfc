// The tab "Deliveries": the trouble of each channel is that of its last message, and a removed channel is not there.
import { expect, it } from "vitest";
import type { Deliveries } from "../../../src/wings/page/contract.ts";
import { readDeliveries } from "../../../src/wings/page/deliveries.ts";
import { writeEndpoint } from "../../../src/outbox/endpoints.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

const at = Date.UTC(2026, 10, 23, 12);
const ntfy = { type: "ntfy", server: "https://ntfy.example.org", topic: "made-up-topic" };

function prepare() {
  const { dispatcher, writeRules } = prepareDispatcher();
  const { layout, rulesFile } = dispatcher;
  ensureLayout(layout);
  const attempt = (channel: string, outcome: "delivered" | "failed"): void => {
    const failure = { reason: "unavailable", detail: "no sound server", next: "done" } as const;
    const more = outcome === "failed" ? failure : ({ next: "done" } as const);
    writeJournal(layout, at, { kind: "attempt", event: "evt_1", channel, attempt: 1, ms: 3, outcome, ...more });
  };
  const look = (): Promise<Deliveries> => readDeliveries(layout, rulesFile, at);
  return { layout, writeRules, attempt, look };
}

it("says that the sound is broken, until it is heard again", async () => {
  const { writeRules, attempt, look } = prepare();
  writeRules({ channels: { sound: { type: "sound" }, phone: ntfy }, rules: [{ notify: ["sound", "phone"] }] });
  attempt("sound", "failed");
  attempt("phone", "delivered");
  expect((await look()).channels).toMatchObject([
    {
      name: "sound",
      trouble: { at: expect.any(Number) as unknown, why: expect.stringMatching(/^no sound server/) as unknown },
    },
    { name: "phone", trouble: undefined },
  ]);
  attempt("sound", "delivered");
  expect((await look()).channels.map(({ trouble }) => trouble)).toEqual([undefined, undefined]);
});

it("forgets a channel that was removed, with its trouble", async () => {
  const { layout, writeRules, attempt, look } = prepare();
  const names = async (): Promise<string[]> => (await look()).channels.map(({ name }) => name);
  writeRules({ channels: { sound: { type: "sound" }, phone: ntfy }, rules: [{ notify: ["sound", "phone"] }] });
  attempt("phone", "failed");
  writeEndpoint(layout, { channel: "phone", breaker: { failures: 3, probeAt: at + 60_000 } });
  expect(await names()).toEqual(["sound", "phone"]);
  writeRules({ channels: { sound: { type: "sound" } }, rules: [{ notify: ["sound"] }] });
  expect(await names()).toEqual(["sound"]);
});
