import { describe, expect, it } from "vitest";
import type { AttemptResult } from "../../../../src/pipeline/delivery/attempt.ts";
import { ChannelQueue, type QueuedDelivery } from "../../../../src/pipeline/delivery/queue/channel-queue.ts";
import {
  decide,
  maxSleepMs,
  type Decision,
  type Situation,
} from "../../../../src/pipeline/delivery/queue/next-step.ts";
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

describe("what the dispatcher does next", () => {
  const detached = { idleMs: 10_000, isLeavingRetries: false };
  const untilIdle = { idleMs: 0, isLeavingRetries: true };
  const forever = { idleMs: undefined, isLeavingRetries: false };
  const later = queue({ 1: { notBefore: now + minute } });
  const soon = queue({ 1: { notBefore: now + 1000 } });
  const lacking = queue({ 1: {} }, { lacksSecret: true, closedUntil: now + 2000 });
  const stop: Decision = { next: "stop" };
  const wait = (ms: number): Decision => ({ next: "wait", ms });

  it("follows from the queue and the rules", () =>
    everyRow<[string, Partial<Situation>, typeof detached | typeof forever, Decision]>(
      [
        ["nothing to do", {}, detached, wait(10_000)],
        ["nothing to do for a while", { idleSince: now - 4000 }, detached, wait(6000)],
        ["nothing to do for long", { idleSince: now - 10_000 }, detached, stop],
        ["nothing to do, until idle", {}, untilIdle, stop],
        ["nothing to do, and told to stay", { idleSince: now - minute }, forever, wait(Infinity)],
        ["more payloads than one round takes", { hasBacklog: true, idleSince: 0 }, untilIdle, { next: "again" }],
        ["something under way", { isWorking: true, idleSince: 0 }, detached, wait(Infinity)],
        ["a retry to wait for", { queues: [later], idleSince: 0 }, detached, wait(maxSleepMs)],
        ["a retry soon", { queues: [later, soon], idleSince: 0 }, detached, wait(1000)],
        ["a retry, until idle", { queues: [later] }, untilIdle, stop],
        ["a retry soon, until idle", { queues: [soon] }, untilIdle, wait(1000)],
        [
          "a retry and something under way, until idle",
          { queues: [later], isWorking: true },
          untilIdle,
          wait(maxSleepMs),
        ],
        ["a secret missing", { queues: [lacking] }, detached, wait(2000)],
        ["a secret missing, for long", { queues: [lacking], idleSince: 0 }, detached, stop],
        ["a secret missing, and told to stay", { queues: [lacking], idleSince: 0 }, forever, wait(2000)],
        ["a disk in trouble", { repeatAt: now + 5000, idleSince: now - 1000 }, detached, wait(5000)],
        ["a disk in trouble, for long", { repeatAt: now + 5000, idleSince: 0 }, detached, stop],
      ],
      ([_name, given, rules, expected]) => {
        const situation = { now, queues: [], hasBacklog: false, isWorking: false, idleSince: now, ...given };
        expect(decide(situation, rules)).toEqual(expected);
      },
    ));

  it("sends what is due on every queue before all else", () => {
    const [first, second] = [queue({ 1: {} }), queue({ 5: {} })];
    const situation = { now, queues: [first, later, second], hasBacklog: true, isWorking: true, idleSince: 0 };
    const due = [
      { queue: first, file: "1" },
      { queue: second, file: "5" },
    ];
    expect(decide(situation, untilIdle)).toEqual({ next: "send", due });
  });
});
