import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import { createReceiver } from "../../../src/wings/remote/receive.ts";
import { remoteFolder } from "../../../src/wings/remote/remotes.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const none = () => Promise.resolve();
const nowMs = 1_800_000_000_000;

function open(): Layout {
  const layout = layoutOf(temporaryFolder());
  ensureLayout(layout);
  mkdirSync(remoteFolder(layout, "web1"), { recursive: true });
  return layout;
}

const receiver = (layout: Layout, isOurs = () => true) => createReceiver(layout, "web1", isOurs);
const event = (seconds: number, text: string) => ({
  name: `${seconds}000-000000000001-7-0.claude-code.Stop.-.json`,
  bytes: Buffer.from(text),
  isAsking: false,
});
const contents = (layout: Layout): string[] =>
  readdirSync(layout.incoming)
    .sort()
    .map((name) => readFileSync(join(layout.incoming, name), "utf8"));

it("stores events in their order, with the host of the configuration and the time of the hook, corrected by the clock there", async () => {
  const layout = open();
  const events = [event(1_799_999_990, "one"), event(1_799_999_991, "two")];
  expect(await receiver(layout).store(events, -5000, nowMs, none)).toEqual({
    names: events.map(({ name }) => name),
    over: [],
  });
  expect(contents(layout)).toEqual(["one", "two"]);
  const [first = ""] = readdirSync(layout.incoming).sort();
  expect(readIncoming(layout, first, 100)).toMatchObject({
    agentId: "claude-code",
    eventName: "Stop",
    remoteHost: "web1",
    callerPids: [],
    namedPid: undefined,
    receivedAt: 1_799_999_995_000,
  });
});

it("recognises a batch that comes again, and keeps only what is new in it", async () => {
  const layout = open();
  await receiver(layout).store([event(1_799_999_990, "one"), event(1_799_999_991, "two")], 0, nowMs, none);
  await receiver(layout).store([event(1_799_999_991, "two"), event(1_799_999_992, "three")], 0, nowMs, none);
  expect(contents(layout)).toEqual(["one", "two", "three"]);
});

it("ends what a crash left: events that were noted as taken are placed, others are dropped and come again", async () => {
  const layout = open();
  await receiver(layout).store([event(1_799_999_990, "one")], 0, nowMs, none);
  const [placed = ""] = readdirSync(layout.incoming);
  const staging = join(remoteFolder(layout, "web1"), "staging");
  // As after a death between the note and the move, and with a file that was not noted.
  writeFileSync(join(staging, placed), "one");
  writeFileSync(join(staging, "1799999999999-r0000000009.-.-.-.-.web1.json"), "not taken");
  const again = receiver(layout);
  expect(again.resume()).toEqual([event(1_799_999_990, "one").name]);
  expect(contents(layout)).toEqual(["one"]);
  expect(readdirSync(staging)).toEqual([]);
});

it("takes nothing once another dispatcher has taken over", async () => {
  const layout = open();
  await expect(receiver(layout, () => false).store([event(1_799_999_990, "one")], 0, nowMs, none)).rejects.toThrow(
    "taken over",
  );
  expect(contents(layout)).toEqual([]);
  await receiver(layout).store([event(1_799_999_990, "one")], 0, nowMs, none);
  expect(contents(layout)).toEqual(["one"]);
});

it("believes no time in the future or far in the past, and no order against the order of arrival", async () => {
  const layout = open();
  const events = [
    event(2_000_000_000, "future"),
    event(1_000_000_000, "past"),
    { name: "odd.json", bytes: Buffer.from("odd"), isAsking: false },
  ];
  await receiver(layout).store(events, 0, nowMs, none);
  expect(contents(layout)).toEqual(["future", "past", "odd"]);
  const times = readdirSync(layout.incoming)
    .sort()
    .map((name) => statSync(join(layout.incoming, name)).mtimeMs);
  expect(times).toEqual([nowMs, nowMs - 90 * 24 * 60 * 60_000, nowMs]);
});

it("tells which hooks wait no longer, and makes no event of that", async () => {
  const layout = open();
  const hook = "1799999990000-000000000001-7-0";
  const over = { name: `${hook}.over.json`, bytes: Buffer.from(""), isAsking: false };
  expect(await receiver(layout).store([over], 0, nowMs, none)).toEqual({ names: [over.name], over: [hook] });
  expect(contents(layout)).toEqual([]);
});
