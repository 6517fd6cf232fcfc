// Which sessions share a usage limit, when its reset is told, and what makes that message unnecessary.
import { describe, expect, it } from "vitest";
import {
  type AccountLimit,
  isSameLimit,
  limitResetMessage,
  nextResetOf,
  limitPolicy,
  waitsForReset,
  type LimitedSessions,
} from "../../src/policies/limit.ts";
import { usageLimitSession } from "../../src/model/own-events.ts";
import type { State } from "../../src/sessions/state.ts";
import { everyRow } from "../support/rows.ts";
import { eventOf, hour, messageOf, minute, noon, second } from "./messages.ts";

function atLimit(until?: number, since = noon): State & { kind: "waitsForLimit" } {
  return { kind: "waitsForLimit", since, reason: "it has reached a limit", source: "hook", until };
}

const reset = noon + hour;

it("two sessions have reached one limit if it resets at the same minute, or began within five minutes", () =>
  everyRow<[what: string, told: ReturnType<typeof atLimit>, reached: ReturnType<typeof atLimit>, isSame: boolean]>(
    [
      ["the same reset", atLimit(reset), atLimit(reset, noon + 30 * minute), true],
      ["a reset a minute later", atLimit(reset), atLimit(reset + minute), true],
      ["a reset a minute earlier", atLimit(reset), atLimit(reset - minute), true],
      ["a reset more than a minute later", atLimit(reset), atLimit(reset + minute + 1), false],
      ["a reset more than a minute earlier", atLimit(reset), atLimit(reset - minute - 1), false],
      ["an unknown reset, from the first moment on", atLimit(reset), atLimit(undefined, noon), true],
      ["an unknown reset, until the one that is told", atLimit(reset), atLimit(undefined, reset - 1), true],
      ["an unknown reset, once that has come", atLimit(reset), atLimit(undefined, reset), false],
      ["an unknown reset, before the limit was told", atLimit(reset), atLimit(undefined, noon - 1), false],
      ["both unknown, five minutes later", atLimit(), atLimit(undefined, noon + 5 * minute), true],
      ["both unknown, five minutes earlier", atLimit(), atLimit(undefined, noon - 5 * minute), true],
      ["both unknown, later than that", atLimit(), atLimit(undefined, noon + 5 * minute + 1), false],
      ["a known reset after an unknown one", atLimit(), atLimit(reset), false],
    ],
    ([_what, told, reached, isSame]) => {
      expect(isSameLimit(told, reached)).toBe(isSame);
    },
  ));

it("a session waits for a reset that comes no more than a minute before its own, or whose own is unknown", () => {
  expect(waitsForReset(atLimit(), reset)).toBe(true);
  expect(waitsForReset(atLimit(reset - hour), reset)).toBe(true);
  expect(waitsForReset(atLimit(reset + minute), reset)).toBe(true);
  expect(waitsForReset(atLimit(reset + minute + 1), reset)).toBe(false);
});

it("a reset lets no one go on once a session has reached a limit after it that resets later", () => {
  expect(nextResetOf(atLimit(reset + hour, noon + 1), noon, reset)).toBe(reset + hour);
  expect(nextResetOf(atLimit(reset + minute + 1, noon + 1), noon, reset)).toBe(reset + minute + 1);
  expect(nextResetOf(atLimit(reset + minute, noon + 1), noon, reset)).toBeUndefined();
  expect(nextResetOf(atLimit(reset + hour, noon), noon, reset)).toBeUndefined();
  expect(nextResetOf(atLimit(undefined, noon + 1), noon, reset)).toBeUndefined();
});

describe("the message of a limit's reset", () => {
  const message = messageOf(eventOf("LimitReset", { session: usageLimitSession }, reset));
  const someone: LimitedSessions = { waiting: [{ project: "shop-web", names: {} }] };
  const outcome = (limited: LimitedSessions | undefined, now: number) =>
    limitPolicy(message, { is: "reset", limited }, now);

  it("is held until two minutes after it, since agents go on by themselves", () => {
    const held = { action: "defer", by: "limit", until: reset + 2 * minute };
    expect(outcome(someone, noon)).toMatchObject({ ...held, why: expect.stringMatching(/^the limit resets at \d/) });
    expect(outcome(undefined, reset + 2 * minute - 1)).toMatchObject(held);
  });

  it("goes then if a session waits", () => {
    expect(outcome(someone, reset + 2 * minute)).toBeUndefined();
  });

  it("is dropped if no session waits any more, or one has reached a limit again", () => {
    const dropped = { action: "suppress", by: "limit" };
    const noOne = { ...dropped, why: "no session waits for it any more" };
    expect(outcome({ waiting: [] }, reset + 2 * minute)).toEqual(noOne);
    expect(outcome(undefined, reset + 2 * minute)).toEqual(noOne);
    expect(outcome({ ...someone, nextReset: reset + hour }, reset + 2 * minute)).toEqual({
      ...dropped,
      why: expect.stringMatching(/^a session has reached a limit again, until \d\d:\d\d$/),
    });
  });

  it("names each session, or the number of them and the first nine", () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ project: `p${index}`, names: {} }));
    expect(limitResetMessage(someone)).toBe("shop-web can go on.");
    expect(limitResetMessage({ waiting: many }).split("\n")).toEqual([
      "11 sessions can go on:",
      ...many.slice(0, 9).map(({ project }) => project),
      "… and 2 more",
    ]);
  });
});

describe("the message that a limit is reached", () => {
  const event = eventOf("LimitReached", { session: usageLimitSession });
  const told: AccountLimit = { since: noon, until: reset, event: event.id, channels: [] };
  const held = messageOf(event, { deferred: { by: "quietHours", until: reset } });

  it("is dropped after it has waited, once the limit has reset or is no longer the one that it tells of", () =>
    everyRow<[what: string, told: AccountLimit | undefined, now: number, isDropped: boolean]>(
      [
        ["before the reset", told, reset - 1, false],
        ["at the reset", told, reset, true],
        ["with another limit", { ...told, event: "evt_next" }, noon, true],
        ["with no known reset", { ...told, until: undefined }, noon + 24 * hour, false],
        ["with no record of a limit", undefined, reset, false],
      ],
      ([_what, last, now, isDropped]) => {
        expect(limitPolicy(held, { is: "reached", told: last }, now)).toEqual(
          isDropped ? { action: "suppress", by: "limit", why: "the limit has been reset" } : undefined,
        );
      },
    ));

  it("goes at once if it has not waited", () => {
    expect(limitPolicy(messageOf(event), { is: "reached", told }, reset + second)).toBeUndefined();
  });

  it("says nothing of what is not about a limit, whatever its event and session are called", () => {
    for (const other of [event, eventOf("LimitReset", { session: usageLimitSession }, reset)]) {
      expect(limitPolicy({ ...held, event: other }, undefined, reset)).toBeUndefined();
    }
  });
});
