// Times of day in time zones: days with a changed clock, days that are skipped, leap days, zones with odd offsets.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatTime,
  instantOf,
  isTimeZone,
  nextInstantOf,
  parseTimeOfDay,
  wallTimeAt,
} from "../../../src/model/figures/wall-clock.ts";

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
const at = (time: string): number => parseTimeOfDay(time) ?? Number.NaN;

describe("instantOf", () => {
  it.each([
    ["an ordinary day", "2026-11-28", "07:00", "Europe/Berlin", "2026-11-28T06:00:00Z"],
    ["summer time", "2026-07-01", "07:00", "Europe/Berlin", "2026-07-01T05:00:00Z"],
    ["before the clock goes forward", "2026-03-29", "01:59", "Europe/Berlin", "2026-03-29T00:59:00Z"],
    ["a time that is skipped", "2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:30:00Z"],
    ["after the clock went forward", "2026-03-29", "03:00", "Europe/Berlin", "2026-03-29T01:00:00Z"],
    ["a time that comes twice", "2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"],
    ["after the clock went back", "2026-10-25", "03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"],
    ["a zone west of Greenwich", "2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30:00Z"],
    ["a skipped time west of Greenwich", "2026-03-08", "02:30", "America/New_York", "2026-03-08T07:30:00Z"],
    ["half an hour of summer time", "2026-10-04", "02:15", "Australia/Lord_Howe", "2026-10-03T15:45:00Z"],
    ["three quarters of an hour", "2026-11-28", "00:00", "Asia/Kathmandu", "2026-11-27T18:15:00Z"],
    ["a midnight that is skipped", "2018-11-04", "00:00", "America/Sao_Paulo", "2018-11-04T03:00:00Z"],
    ["fourteen hours ahead", "2026-01-01", "00:00", "Pacific/Kiritimati", "2025-12-31T10:00:00Z"],
    ["a leap day", "2028-02-29", "12:00", "Europe/Berlin", "2028-02-29T11:00:00Z"],
    ["the end of a leap day", "2028-02-29", "24:00", "UTC", "2028-03-01T00:00:00Z"],
  ])("finds the instant: %s", (_what, date, time, zone, expected) => {
    expect(new Date(instantOf(dayOf(date), at(time), zone))).toEqual(new Date(expected));
  });

  it("is what the clock on the wall shows then, in every zone, unless the time is skipped", () => {
    const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC"];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: dayOf("2008-01-01"), max: dayOf("2040-01-01") }),
        fc.integer({ min: 0, max: 24 * 60 - 1 }),
        (zone, day, minutes) => {
          const shown = wallTimeAt(instantOf(day, minutes, zone), zone);
          const lateMinutes = (shown.day - day) * 24 * 60 + shown.minutes - minutes;
          // Samoa skipped a whole day.
          expect([0, 30, 60, 24 * 60]).toContain(lateMinutes);
          expect(shown.weekday).toBe(new Date(shown.day * 86_400_000).getUTCDay());
        },
      ),
    );
  });
});

describe("nextInstantOf", () => {
  it.each([
    ["later today", "2026-11-28T05:00:00Z", "07:00", "2026-11-28T06:00:00Z"],
    ["now is past", "2026-11-28T06:00:00Z", "07:00", "2026-11-29T06:00:00Z"],
    ["on a day of 23 hours", "2026-03-28T22:59:00Z", "23:59", "2026-03-29T21:59:00Z"],
    ["on a day of 25 hours", "2026-10-25T01:30:00Z", "02:30", "2026-10-26T01:30:00Z"],
    ["over the new year", "2026-12-31T22:59:00Z", "00:00", "2026-12-31T23:00:00Z"],
  ])("finds the next instant: %s", (_what, after, time, expected) => {
    const next = nextInstantOf(at(time), Date.parse(after), "Europe/Berlin");
    expect(new Date(next)).toEqual(new Date(expected));
  });
});

describe("times as text", () => {
  it.each([
    ["7:05", 425],
    ["00:00", 0],
    ["24:00", 1440],
    ["24:01", undefined],
    ["12:60", undefined],
    ["7", undefined],
    ["07:00 pm", undefined],
  ])("reads %s as minutes after midnight, or refuses it", (text, expected) => {
    expect(parseTimeOfDay(text)).toBe(expected);
  });

  it.each([
    ["today", "2026-11-28T06:00:00Z", "07:00"],
    ["tonight", "2026-11-29T03:59:00Z", "04:59"],
    ["tomorrow", "2026-11-29T06:00:00Z", "Sun 07:00"],
    ["in six days", "2026-12-04T22:00:00Z", "Fri 23:00"],
    ["in a week", "2026-12-05T06:00:00Z", "2026-12-05 07:00"],
    ["of the last hours", "2026-11-27T06:00:00Z", "07:00"],
    ["yesterday", "2026-11-27T03:00:00Z", "2026-11-27 04:00"],
  ])("a time %s", (_what, time, expected) => {
    expect(formatTime(Date.parse(time), Date.parse("2026-11-28T04:00:00Z"), "Europe/Berlin")).toBe(expected);
  });

  it.each([
    ["Europe/Berlin", true],
    ["UTC", true],
    ["Europe/Nowhere", false],
    ["", false],
  ])("zone %j", (zone, isKnown) => {
    expect(isTimeZone(zone)).toBe(isKnown);
  });
});
