import { describe, expect, it } from "vitest";
import { maxRetryAfterMs, parseRetryAfter, reasonOfStatus } from "../../src/channels/http-channel.ts";

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const rows: [string | undefined, string | undefined, number | undefined][] = [
    [undefined, undefined, undefined],
    ["", undefined, undefined],
    ["0", undefined, 0],
    [" 120 ", undefined, 120_000],
    ["1.25", undefined, 1250],
    ["-5", undefined, undefined],
    ["5 apples", undefined, undefined],
    ["apples 5", undefined, undefined],
    ["1e3", undefined, undefined],
    ["999999999999999999999", undefined, maxRetryAfterMs],
    ["Sat, 21 Nov 2026 12:01:00 GMT", undefined, 60_000],
    ["Saturday, 21-Nov-26 12:01:00 GMT", undefined, 60_000],
    ["Sat Nov 21 12:01:00 2026", undefined, 60_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", undefined, 0],
    ["Sat, 99 Nov 2026 12:01:00 GMT", undefined, undefined],
    // The receiver's clock is an hour ahead of this one, or behind it; what counts is the distance.
    ["Sat, 21 Nov 2026 13:01:00 GMT", "Sat, 21 Nov 2026 13:00:00 GMT", 60_000],
    ["Sat, 21 Nov 2026 12:01:00 GMT", "nonsense", 60_000],
  ];
  it.each(rows)("%s beside Date %s is %s", (value, date, expected) => {
    expect(parseRetryAfter(value, date, now)).toBe(expected);
  });
});

describe("reasonOfStatus", () => {
  it("gives every status that is no success a reason", () => {
    const retried = Array.from({ length: 400 }, (_, index) => index + 300).filter((status) =>
      ["rateLimited", "serverError"].includes(reasonOfStatus(status)),
    );
    expect(retried.filter((status) => status < 500)).toEqual([408, 425, 429]);
  });
});
