// The rules for days, around UTC midnight, the first day with data, and the ends of months and years.
import { describe, expect, it } from "vitest";
import {
  addDays,
  countDays,
  findDateProblems,
  isDate,
  utcDate,
} from "../../../../src/wings/platform/contract/dates.ts";

const problemsOf = (startDate: string, endDate: string, today: string): string =>
  findDateProblems({ startDate, endDate }, today)
    .map(({ parameter, message }) => `${parameter}: ${message}`)
    .join("; ");

describe("a request for days", () => {
  it.each([
    ["2026-01-14", "2026-01-14", "2026-01-15", ""],
    ["2026-03-01", "2026-03-31", "2026-04-01", ""],
    ["2026-01-13", "2026-01-14", "2026-02-01", "startDate: 2026-01-13 is before 2026-01-14, the first day with data"],
    [
      "2026-02-01",
      "2026-02-10",
      "2026-02-10",
      "endDate: 2026-02-10 is today in UTC; data ends with yesterday, 2026-02-09",
    ],
    [
      "2026-02-11",
      "2026-02-11",
      "2026-02-10",
      /^startDate: 2026-02-11 is in the future.*endDate: 2026-02-11 is in the future/,
    ],
    ["2026-02-05", "2026-02-04", "2026-02-10", "startDate: 2026-02-05 is after the end date 2026-02-04"],
    ["2026-2-5", "2026-02-06", "2026-02-10", 'startDate: "2026-2-5" is not a date of the form YYYY-MM-DD'],
    ["2026-02-29", "2026-03-06", "2026-04-01", "startDate: there is no such day as 2026-02-29"],
    ["2026-02-01T00:00:00Z", "2026-02-02", "2026-04-01", /not a date/],
    ["", "2026-02-02", "2026-04-01", /not a date/],
    // No data can exist before the first day has ended.
    ["2026-01-14", "2026-01-14", "2026-01-14", /startDate: 2026-01-14 is today.*endDate: 2026-01-14 is today/],
  ])("%s to %s, asked on %s", (start, end, today, expected) => {
    const problems = problemsOf(start, end, today);
    if (typeof expected === "string") expect(problems).toBe(expected);
    else expect(problems).toMatch(expected);
  });

  it("is for yesterday only from UTC midnight on", () => {
    const midnight = Date.parse("2026-05-02T00:00:00Z");
    expect(problemsOf("2026-05-01", "2026-05-01", utcDate(midnight))).toBe("");
    expect(problemsOf("2026-05-01", "2026-05-01", utcDate(midnight - 1))).toMatch(/is today/);
  });
});

describe("days", () => {
  it.each([
    ["2026-02-28", true],
    ["2028-02-29", true],
    ["2026-02-29", false],
    ["2026-13-01", false],
    ["2026-00-10", false],
    ["26-01-01", false],
    ["2026-01-01 ", false],
  ])("%s is a day of the calendar, or is refused", (text, isOne) => {
    expect(isDate(text)).toBe(isOne);
  });

  it("are counted across months and years, whatever the local time zone does", () => {
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(countDays({ startDate: "2026-03-01", endDate: "2026-03-31" })).toBe(31);
    expect(countDays({ startDate: "2026-03-01", endDate: "2026-03-01" })).toBe(1);
  });
});
