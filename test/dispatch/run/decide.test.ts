import { describe, expect, it } from "vitest";
import { decide, maxSleepMs, nextFor, type Decision, type Situation } from "../../../src/dispatch/run/decide.ts";
import { emptyLane, type Lane, type Waiting } from "../../../src/dispatch/run/lanes.ts";
import type { AttemptResult } from "../../../src/dispatch/send/send-delivery.ts";
import { everyRow } from "../../support/rows.ts";

const now = 1_800_000_000_000;
const minute = 60_000;

/** Deliveries by file name; each in a session of its own unless it is given. */
function lane(waiting: Record<string, Partial<Waiting>> = {}, more: Partial<Lane> = {}): Lane {
  const entries = Object.entries(waiting).map(
    ([file, each]) => [file, { file, session: file, notBefore: now, eventMs: now, ...each }] as const,
  );
  return { ...emptyLane("team"), waiting: new Map(entries), ...more };
}

const unrecorded = { file: "2" } as AttemptResult;

describe("what a lane sends next", () => {
  it("follows from what waits and what is under way", () =>
    everyRow<[string, Lane, ReturnType<typeof nextFor>]>(
      [
        ["nothing waits", lane(), undefined],
        ["one is due", lane({ 1: {} }), { send: "1" }],
        ["several are due: the oldest", lane({ 1: {}, 2: {} }), { send: "1" }],
        [
          "a question waits behind other sessions' news",
          lane({ 1: {}, 2: {}, 3: { isUrgent: true } }, { urgent: 1 }),
          { send: "3" },
        ],
        [
          "a question waits behind its own session's news",
          lane({ 1: {}, 2: { session: "s" }, 3: { session: "s", isUrgent: true } }, { urgent: 1 }),
          { send: "1" },
        ],
        ["one is being sent", lane({ 1: {}, 2: {} }, { sending: "1" }), undefined],
        ["the oldest is to be retried later", lane({ 1: { notBefore: now + 5 }, 2: {} }), { send: "2" }],
        [
          "its session waits for it",
          lane({ 1: { notBefore: now + 5, session: "s" }, 2: { session: "s" } }),
          { at: now + 5 },
        ],
        [
          "all are to be retried later",
          lane({ 1: { notBefore: now + 9 }, 2: { notBefore: now + 5 } }),
          { at: now + 5 },
        ],
        ["its receiver wants a pause", lane({ 1: {} }, { closedUntil: now + 7 }), { at: now + 7 }],
        [
          "the pause is over before the retry",
          lane({ 1: { notBefore: now + 9 } }, { closedUntil: now + 7 }),
          { at: now + 9 },
        ],
        ["one was sent and not recorded", lane({ 1: {}, 2: {} }, { unrecorded }), { send: "2" }],
        ["the disk took no record", lane({ 1: {}, 2: {} }, { unrecorded, closedUntil: now + 5 }), { at: now + 5 }],
      ],
      ([_name, given, expected]) => {
        expect(nextFor(given, now)).toEqual(expected);
      },
    ));
});

describe("what the dispatcher does next", () => {
  const detached = { idleMs: 10_000, isLeavingRetries: false };
  const untilIdle = { idleMs: 0, isLeavingRetries: true };
  const forever = { idleMs: undefined, isLeavingRetries: false };
  const later = lane({ 1: { notBefore: now + minute } });
  const soon = lane({ 1: { notBefore: now + 1000 } });
  const lacking = lane({ 1: {} }, { lacksSecret: true, closedUntil: now + 2000 });
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
        ["a retry to wait for", { lanes: [later], idleSince: 0 }, detached, wait(maxSleepMs)],
        ["a retry soon", { lanes: [later, soon], idleSince: 0 }, detached, wait(1000)],
        ["a retry, until idle", { lanes: [later] }, untilIdle, stop],
        ["a retry soon, until idle", { lanes: [soon] }, untilIdle, wait(1000)],
        [
          "a retry and something under way, until idle",
          { lanes: [later], isWorking: true },
          untilIdle,
          wait(maxSleepMs),
        ],
        ["a secret missing", { lanes: [lacking] }, detached, wait(2000)],
        ["a secret missing, for long", { lanes: [lacking], idleSince: 0 }, detached, stop],
        ["a secret missing, and told to stay", { lanes: [lacking], idleSince: 0 }, forever, wait(2000)],
        ["a disk in trouble", { repeatAt: now + 5000, idleSince: now - 1000 }, detached, wait(5000)],
        ["a disk in trouble, for long", { repeatAt: now + 5000, idleSince: 0 }, detached, stop],
      ],
      ([_name, given, rules, expected]) => {
        const situation = { now, lanes: [], hasBacklog: false, isWorking: false, idleSince: now, ...given };
        expect(decide(situation, rules)).toEqual(expected);
      },
    ));

  it("sends what is due on every lane before all else", () => {
    const [first, second] = [lane({ 1: {} }), lane({ 5: {} })];
    const situation = { now, lanes: [first, later, second], hasBacklog: true, isWorking: true, idleSince: 0 };
    const due = [
      { lane: first, file: "1" },
      { lane: second, file: "5" },
    ];
    expect(decide(situation, untilIdle)).toEqual({ next: "send", due });
  });
});
