// What a bucket holds, when it has a token, and what is owed.
import fc from "fast-check";
import { expect, it } from "vitest";
import { nextAt, peek, take, type Rate } from "../../../src/model/figures/token-bucket.ts";

const now = 1_800_000_000_000;
const rate: Rate = { messages: 4, perMs: 2000 };

it("a bucket that was never used, or was full long ago, holds all its tokens", () => {
  for (const fullAt of [0, now - 1, now]) {
    expect(peek(fullAt, rate, now)).toBe(4);
    expect(nextAt(fullAt, rate, now)).toBe(now);
    expect(take(fullAt, rate, now)).toBe(now + 500);
  }
});

it("tokens go one by one, and come back one by one", () => {
  let fullAt = 0;
  for (const left of [3, 2, 1, 0]) {
    expect(nextAt(fullAt, rate, now)).toBe(now);
    fullAt = take(fullAt, rate, now);
    expect(peek(fullAt, rate, now)).toBe(left);
  }
  expect(nextAt(fullAt, rate, now)).toBe(now + 500);
  expect(peek(fullAt, rate, now + 499)).toBeLessThan(1);
  expect(nextAt(fullAt, rate, now + 500)).toBe(now + 500);
  expect(peek(fullAt, rate, now + 1250)).toBe(2.5);
});

it("a token that is taken before its time is owed", () => {
  const rates = { messages: 1, perMs: 1000 };
  const owed = take(take(take(0, rates, now), rates, now), rates, now);
  expect(peek(owed, rates, now)).toBe(-2);
  expect(nextAt(owed, rates, now)).toBe(now + 3000);
});

it("at the time that it says there is a token, and not before", () => {
  const rates = fc.record({
    messages: fc.integer({ min: 1, max: 50 }),
    perMs: fc.integer({ min: 1000, max: 3_600_000 }),
  });
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 200 }), (each, taken) => {
      let fullAt = 0;
      for (let count = 0; count < taken; count += 1) fullAt = take(fullAt, each, now);
      const at = nextAt(fullAt, each, now);
      expect(peek(fullAt, each, Math.ceil(at) + 1)).toBeGreaterThanOrEqual(1);
      if (at > now) expect(peek(fullAt, each, at - 1)).toBeLessThan(1);
    }),
  );
});
