// Whether a message goes by where the person is; unknown always means that it goes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAtComputer, presencePolicy, type Presence, type PresenceWish } from "../../src/policies/presence.ts";
import { broke, done, hour, messageOf, minute, noon, question, second } from "./messages.ts";
import { everyRow } from "../support/rows.ts";

const away: PresenceWish = { away: { afterMs: minute, isWanted: true } };
const here: PresenceWish = { away: { afterMs: minute, isWanted: false } };
const notFocused: PresenceWish = { focused: false };
const locked: PresenceWish = { locked: true };

/** `send`, `suppress`, or the seconds that it is held. */
type Expected = "send" | "suppress" | number;

function outcome(wish: PresenceWish, presence: Presence | undefined, message = messageOf(done), now = noon): Expected {
  const decision = presencePolicy(message, wish, presence, now);
  if (decision === undefined) return "send";
  return decision.action === "suppress" ? "suppress" : (decision.until - now) / second;
}

describe("news", () => {
  it("goes by where the person is, or waits", () =>
    everyRow<[what: string, wish: PresenceWish, presence: Presence, expected: Expected]>(
      [
        ["away: idle long enough", away, { idleMs: minute }, "send"],
        ["away: locked", away, { idleMs: 0, isLocked: true }, "send"],
        ["away: unknown", away, {}, "send"],
        ["away: idle for less may be away soon", away, { idleMs: 20 * second }, 40],
        ["here: input just now", here, { idleMs: second }, "send"],
        ["here: idle", here, { idleMs: minute }, "suppress"],
        ["here: locked", here, { isLocked: true }, "suppress"],
        ["here: unknown", here, {}, "send"],
        ["not focused: it is not", notFocused, { isFocused: false }, "send"],
        ["not focused: it is", notFocused, { isFocused: true }, "suppress"],
        ["not focused: it is, with input", notFocused, { isFocused: true, idleMs: 5 * second }, "suppress"],
        ["not focused: it is, and the person is gone", notFocused, { isFocused: true, idleMs: minute }, "send"],
        ["not focused: it is, behind a lock", notFocused, { isFocused: true, isLocked: true }, "send"],
        ["not focused: unknown", notFocused, { idleMs: 0 }, "send"],
        ["focused: it is", { focused: true }, { isFocused: true, idleMs: 0 }, "send"],
        ["focused: it is not", { focused: true }, { isFocused: false }, "suppress"],
        ["locked: it is", locked, { isLocked: true }, "send"],
        ["locked: it is not", locked, { isLocked: false }, "suppress"],
        ["locked: unknown", locked, { idleMs: hour }, "send"],
        ["unlocked: it is locked", { locked: false }, { isLocked: true }, "suppress"],
        ["two wishes, one unfulfilled", { ...away, ...locked }, { idleMs: hour, isLocked: false }, "suppress"],
        ["no wish", {}, { idleMs: 0, isFocused: true }, "send"],
      ],
      ([_what, wish, presence, expected]) => {
        expect(outcome(wish, presence)).toBe(expected);
      },
    ));

  it("goes when the person had left just before it", () => {
    expect(outcome(away, { idleMs: minute }, messageOf(done), noon + 40 * second)).toBe("send");
  });

  it("does not go when there was input since", () => {
    expect(outcome(away, { idleMs: 10 * second }, messageOf(done), noon + 40 * second)).toBe("suppress");
  });

  it("goes when presence was not asked for", () => {
    expect(outcome(away, undefined)).toBe("send");
  });
});

describe("a question", () => {
  const asked = messageOf(question);

  it("waits for a person as long as its rule says", () =>
    everyRow<[what: string, wish: PresenceWish, presence: Presence, afterMs: number, expected: Expected]>(
      [
        ["waits until the person can be away", away, { idleMs: 50 * second }, 0, 10],
        ["is checked again and again", away, { idleMs: 0 }, 0, 15],
        ["is looked at less often with time", away, { idleMs: 0 }, 2 * minute, 30],
        ["waits until the terminal is not looked at", notFocused, { isFocused: true, idleMs: 55 * second }, 0, 5],
        ["goes when the person looks elsewhere", notFocused, { isFocused: false, idleMs: 0 }, minute, "send"],
        ["waits for the lock", locked, { isLocked: false }, 0, 15],
        ["waits for the person to come back", here, { idleMs: hour }, hour, 300],
        ["goes when nothing is known", away, {}, 0, "send"],
        ["is dropped at last", away, { idleMs: 0 }, 6 * hour, "suppress"],
      ],
      ([_what, wish, presence, afterMs, expected]) => {
        expect(outcome(wish, presence, asked, noon + afterMs)).toBe(expected);
      },
    ));

  it("escalates wherever the person is", () => {
    expect(outcome(away, { idleMs: 0 }, messageOf(question, { escalatesAfterMs: minute }))).toBe("send");
  });
});

it("an unknown fact never holds anything back", () => {
  const wish = fc.record<PresenceWish>(
    {
      away: fc.record({ afterMs: fc.integer({ min: 1, max: hour }), isWanted: fc.boolean() }),
      focused: fc.boolean(),
      locked: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(wish, fc.constantFrom(question, done, broke), (wanted, event) => {
      expect(outcome(wanted, {}, messageOf(event))).toBe("send");
    }),
  );
});

it("the person is at the computer with input in the last two minutes and no lock; unknown is away", () =>
  everyRow<[what: string, presence: Presence, isThere: boolean]>(
    [
      ["input just now", { idleMs: 0 }, true],
      ["input just now, with no lock", { idleMs: 0, isLocked: false }, true],
      ["input a moment less than two minutes ago", { idleMs: 2 * minute - 1 }, true],
      ["input two minutes ago", { idleMs: 2 * minute }, false],
      ["input just now, behind a lock", { idleMs: 0, isLocked: true }, false],
      ["unknown input", { isLocked: false }, false],
      ["nothing known", {}, false],
    ],
    ([_what, presence, isThere]) => {
      expect(isAtComputer(presence)).toBe(isThere);
    },
  ));
