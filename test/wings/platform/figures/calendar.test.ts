// Days as weeks and months: every day belongs to one of them, whole or not.
import { describe, expect, it } from "vitest";
import { calendarOf } from "../../../../src/wings/platform/figures/calendar.ts";

const labelsOf = (startDate: string, endDate: string, by: "day" | "week" | "month"): string[] =>
  calendarOf({ startDate, endDate }, by).periods.map(({ label }) => label);

describe("the periods", () => {
  it.each([
    ["2026-03-01", "2026-03-02", "day", ["2026-03-01", "2026-03-02"]],
    // 2 March 2026 is a Monday.
    ["2026-03-01", "2026-03-09", "week", ["2026-03-01", "2026-03-02 to 2026-03-08", "2026-03-09"]],
    ["2026-02-01", "2026-03-31", "month", ["2026-02", "2026-03"]],
    ["2026-02-02", "2026-03-30", "month", ["2026-02-02 to 2026-02-28", "2026-03-01 to 2026-03-30"]],
    ["2026-12-31", "2027-01-01", "month", ["2026-12-31", "2027-01-01"]],
    ["2026-02-01", "2026-02-28", "month", ["2026-02"]],
  ] as const)("of %s to %s by %s", (startDate, endDate, by, labels) => {
    expect(labelsOf(startDate, endDate, by)).toEqual(labels);
  });

  it.each(["day", "week", "month"] as const)("by %s have each day of a year once", (by) => {
    const { days, periods } = calendarOf({ startDate: "2026-01-15", endDate: "2027-01-14" }, by);
    expect(periods.flatMap(({ first, end }) => days.slice(first, end))).toEqual(days);
  });
});
