// The days of --from and --to, and the days before that they are compared with.
import { describe, expect, it } from "vitest";
import { previousPeriod, readPeriod } from "../../../../src/wings/platform/figures/period.ts";

const today = "2026-03-10";

describe("the days", () => {
  it.each([
    [undefined, undefined, "2026-03-03", "2026-03-09"],
    ["1d", undefined, "2026-03-09", "2026-03-09"],
    ["30d", undefined, "2026-02-08", "2026-03-09"],
    ["2w", undefined, "2026-02-24", "2026-03-09"],
    ["7d", "2026-02-28", "2026-02-22", "2026-02-28"],
    ["2026-02-01", undefined, "2026-02-01", "2026-03-09"],
    [undefined, "2026-02-28", "2026-02-22", "2026-02-28"],
    // Refused later, with every other problem.
    ["March", undefined, "March", "2026-03-09"],
    // The end is refused, and only the end.
    [undefined, "March", "2026-01-14", "March"],
    ["4w", "2026-02-30", "2026-01-14", "2026-02-30"],
  ])("of --from %s --to %s are %s to %s", (from, to, startDate, endDate) => {
    expect(readPeriod(from, to, today)).toEqual({ startDate, endDate });
  });

  it.each(["0d", "99999d", "99999w"])("of --from %s are none", (from) => {
    expect(() => readPeriod(from, undefined, today)).toThrow("invalid --from");
  });
});

describe("the days before", () => {
  it.each([
    ["2026-03-03", "2026-03-09", "2026-02-24", "2026-03-02"],
    ["2026-01-15", "2026-01-15", "2026-01-14", "2026-01-14"],
  ])("%s to %s are %s to %s", (startDate, endDate, from, to) => {
    expect(previousPeriod({ startDate, endDate })).toEqual({ startDate: from, endDate: to });
  });

  it("are none where the service has no data of them all", () => {
    expect(previousPeriod({ startDate: "2026-01-14", endDate: "2026-01-14" })).toBeUndefined();
    expect(previousPeriod({ startDate: "2026-01-20", endDate: "2026-01-27" })).toBeUndefined();
  });
});
