import { describe, expect, it } from "vitest";
import type { AttemptResult } from "../../../../src/pipeline/delivery/attempt.ts";
import { ChannelQueue, type QueuedDelivery } from "../../../../src/pipeline/delivery/queue/channel-queue.ts";
import { keepsBusy, maxSleepMs, nextStep } from "../../../../src/pipeline/delivery/queue/next-step.ts";
import { everyRow } from "../../../support/rows.ts";

const now = 1_800_000_000_000;
const minute = 60_000;

/** Deliveries by file name; each in a session of its own unless it is given. */
function queue(
  waiting: Record<string, Partial<QueuedDelivery>> = {},
  more: Partial<Pick<ChannelQueue, "sending" | "unrecorded" | "closedUntil" | "lacksSecret">> = {},
): ChannelQueue {
  const queue = new ChannelQueue("team");
  for (const [file, each] of Object.entries(waiting)) {
    queue.add({ file, session: file, notBefore: now, eventMs: now, ...each });
  }
  return Object.assign(queue, more);
}

const unrecorded = { file: "2" } as AttemptResult;

describe("what a queue sends next", () => {
  it("follows from what waits and what is under way", () =>
    everyRow<[string, ChannelQueue, ReturnType<ChannelQueue["next"]>]>(
      [
        ["nothing waits", queue(), undefined],
        ["one is due", queue({ 1: {} }), { send: "1" }],
        ["several are due: the oldest", queue({ 1: {}, 2: {} }), { send: "1" }],
        ["a question waits behind other sessions' news", queue({ 1: {}, 2: {}, 3: { isUrgent: true } }), { send: "3" }],
        [
          "a question waits behind its own session's news",
          queue({ 1: {}, 2: { session: "s" }, 3: { session: "s", isUrgent: true } }),
          { send: "1" },
        ],
        ["one is being sent", queue({ 1: {}, 2: {} }, { sending: "1" }), undefined],
        ["the oldest is to be retried later", queue({ 1: { notBefore: now + 5 }, 2: {} }), { send: "2" }],
        [
          "its session waits for it",
          queue({ 1: { notBefore: now + 5, session: "s" }, 2: { session: "s" } }),
          { at: now + 5 },
        ],
        [
          "all are to be retried later",
          queue({ 1: { notBefore: now + 9 }, 2: { notBefore: now + 5 } }),
          { at: now + 5 },
        ],
        ["its receiver wants a pause", queue({ 1: {} }, { closedUntil: now + 7 }), { at: now + 7 }],
        [
          "the pause is over before the retry",
          queue({ 1: { notBefore: now + 9 } }, { closedUntil: now + 7 }),
          { at: now + 9 },
        ],
        ["one was sent and not recorded", queue({ 1: {}, 2: {} }, { unrecorded }), { send: "2" }],
        ["the disk took no record", queue({ 1: {}, 2: {} }, { unrecorded, closedUntil: now + 5 }), { at: now + 5 }],
      ],
      ([_name, given, expected]) => {
        expect(given.next(now)).toEqual(expected);
      },
    ));
});

describe("the queues together", () => {
  const later = queue({ 1: { notBefore: now + minute } });
  const soon = queue({ 1: { notBefore: now + 1000 } });
  const due = queue({ 1: {} });
  const lacking = queue({ 1: {} }, { lacksSecret: true, closedUntil: now + 2000 });

  it("say when to ask again, and whether a dispatcher stays for them", () =>
    everyRow<[string, ChannelQueue[], number, { stays: boolean; staysUntilIdle: boolean }]>(
      [
        ["nothing waits", [queue()], Infinity, { stays: false, staysUntilIdle: false }],
        ["a retry much later", [later], now + maxSleepMs, { stays: true, staysUntilIdle: false }],
        ["a retry soon", [later, soon], now + 1000, { stays: true, staysUntilIdle: true }],
        ["one is due", [later, due], now, { stays: true, staysUntilIdle: true }],
        ["one is being sent", [queue({ 1: {} }, { sending: "1" })], Infinity, { stays: false, staysUntilIdle: false }],
        ["a secret is missing", [lacking], now + 2000, { stays: false, staysUntilIdle: false }],
      ],
      ([_name, queues, nextAt, { stays, staysUntilIdle }]) => {
        expect(nextStep(queues, now).nextAt).toBe(nextAt);
        expect(keepsBusy(queues, now, false)).toBe(stays);
        expect(keepsBusy(queues, now, true)).toBe(staysUntilIdle);
      },
    ));

  it("send what is due on each", () => {
    const other = queue({ 5: {} });
    expect(nextStep([due, later, other], now).due).toEqual([
      { queue: due, file: "1" },
      { queue: other, file: "5" },
    ]);
  });
});
