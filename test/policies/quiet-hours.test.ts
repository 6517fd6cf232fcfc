// Quiet hours: ranges, weekdays, midnight, days with a changed clock, and the levels that break through.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quietHoursPolicy, quietUntil, type QuietHours, type QuietRange } from "../../src/policies/quiet-hours.ts";
import { parseTimeOfDay } from "../../src/model/figures/wall-clock.ts";
import { broke, done, eventOf, hour, messageOf, question } from "./messages.ts";
import { everyRow } from "../support/rows.ts";

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const weekdays = [1, 2, 3, 4, 5];

function range(from: string, to: string, days: readonly number[] = everyDay): QuietRange {
  return { days, from: parseTimeOfDay(from) ?? Number.NaN, to: parseTimeOfDay(to) ?? Number.NaN };
}

function quiet(ranges: QuietRange[], more: Partial<QuietHours> = {}): QuietHours {
  return { ranges, timeZone: "Europe/Berlin", breakThrough: [], ...more };
}

const nights = quiet([range("22:00", "07:00")]);
const workNights = quiet([range("22:00", "07:00", weekdays)]);
const weekend = quiet([range("22:00", "07:00", weekdays), range("00:00", "24:00", [0, 6])]);

describe("quietUntil", () => {
  it("says until when it is quiet", () =>
    everyRow<[what: string, hours: QuietHours, now: string, until: string | undefined]>(
      [
        ["before it begins", nights, "2026-11-28T20:59:59Z", undefined],
        ["as it begins", nights, "2026-11-28T21:00:00Z", "2026-11-29T06:00:00Z"],
        ["after midnight", nights, "2026-11-29T02:00:00Z", "2026-11-29T06:00:00Z"],
        ["a moment before its end", nights, "2026-11-29T05:59:59.999Z", "2026-11-29T06:00:00Z"],
        ["at its end", nights, "2026-11-29T06:00:00Z", undefined],
        ["over the new year", nights, "2026-12-31T23:30:00Z", "2027-01-01T06:00:00Z"],
        ["over a leap day", nights, "2028-02-28T23:30:00Z", "2028-02-29T06:00:00Z"],
        ["a night of one hour less", nights, "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"],
        ["a night of one hour more", nights, "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"],
        ["within the hour that comes twice", nights, "2026-10-25T00:30:00Z", "2026-10-25T06:00:00Z"],
        ["an end that is skipped", quiet([range("01:00", "02:30")]), "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"],
        ["an end that comes twice", quiet([range("01:00", "02:30")]), "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z"],
        ["and not again an hour later", quiet([range("01:00", "02:30")]), "2026-10-25T01:10:00Z", undefined],
        ["the night after Friday", workNights, "2026-11-27T23:00:00Z", "2026-11-28T06:00:00Z"],
        ["the night after Saturday", workNights, "2026-11-28T23:00:00Z", undefined],
        ["a weekend is one quiet time", weekend, "2026-11-27T21:30:00Z", "2026-11-29T23:00:00Z"],
        ["the whole day", quiet([range("09:00", "09:00", [6])]), "2026-11-28T20:00:00Z", "2026-11-29T08:00:00Z"],
        [
          "ranges that overlap",
          quiet([range("12:00", "13:00"), range("12:30", "14:00")]),
          "2026-11-28T11:10:00Z",
          "2026-11-28T13:00:00Z",
        ],
        [
          "another zone",
          quiet([range("22:00", "07:00")], { timeZone: "America/New_York" }),
          "2026-11-29T05:00:00Z",
          "2026-11-29T12:00:00Z",
        ],
        ["no range", quiet([]), "2026-11-28T23:00:00Z", undefined],
      ],
      ([_what, hours, now, until]) => {
        const end = quietUntil(hours, Date.parse(now));
        expect(end === undefined ? undefined : new Date(end)).toEqual(
          until === undefined ? undefined : new Date(until),
        );
      },
    ));

  it("ends at last, however quiet it is", () => {
    const always = quiet([range("00:00", "24:00")]);
    const now = Date.parse("2026-11-28T12:00:00Z");
    const end = quietUntil(always, now) ?? 0;
    expect(end).toBeGreaterThan(now + 7 * 24 * hour);
    expect(end).toBeLessThan(now + 10 * 24 * hour);
    const midnight = Date.parse("2026-11-28T00:00:00Z");
    expect(quietUntil({ ...always, timeZone: "UTC" }, midnight)).toBe(midnight + 8 * 24 * hour);
  });

  it("is quiet from now to the end, and not at the end", () => {
    const time = fc.integer({ min: 0, max: 24 * 60 });
    const ranges = fc.array(fc.record({ days: fc.subarray(everyDay, { minLength: 1 }), from: time, to: time }), {
      maxLength: 3,
    });
    const now = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2029, 0, 1) });
    const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC");
    fc.assert(
      fc.property(ranges, now, zone, fc.double({ min: 0, max: 1, noNaN: true }), (all, at, timeZone, part) => {
        const hours = quiet(all, { timeZone });
        const end = quietUntil(hours, at);
        if (end === undefined || end - at > 7 * 24 * hour) return;
        expect(end).toBeGreaterThan(at);
        expect(quietUntil(hours, end)).toBeUndefined();
        expect(quietUntil(hours, Math.floor(at + (end - at) * part * 0.999))).toBe(end);
      }),
      { numRuns: 60 },
    );
  });
});

describe("quietHoursPolicy", () => {
  const night = Date.parse("2026-11-28T22:30:00Z");

  it("hold what they should, and nothing else", () =>
    everyRow(
      [
        ["news waits", messageOf(done), nights, true],
        ["a question waits", messageOf(question), nights, true],
        [
          "a level that breaks through goes",
          messageOf(broke),
          quiet(nights.ranges as QuietRange[], { breakThrough: ["error"] }),
          false,
        ],
        ["a program's channel goes", messageOf(done, { isForPeople: false }), nights, false],
        ["a channel that is not named goes", messageOf(done), { ...nights, channels: ["mail"] }, false],
        [
          "a program's channel that is named waits",
          messageOf(done, { isForPeople: false }),
          { ...nights, channels: ["phone"] },
          true,
        ],
        ["without quiet hours it goes", messageOf(done), undefined, false],
      ],
      ([_what, message, hours, isHeld]) => {
        const decision = quietHoursPolicy(message, hours, night);
        expect(decision?.action).toBe(isHeld ? "defer" : undefined);
      },
    ));

  it("says until when, and gathers what waits", () => {
    expect(quietHoursPolicy(messageOf(eventOf("Stop")), nights, night)).toEqual({
      action: "defer",
      by: "quietHours",
      until: Date.parse("2026-11-29T06:00:00Z"),
      why: "quiet hours until 07:00",
      key: "quiet hours",
    });
  });
});
