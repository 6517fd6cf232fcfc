// Rows as charts: series, totals and changes, and what has too many names for one chart.
import { describe, expect, it } from "vitest";
import { calendarOf } from "../../../../src/wings/platform/figures/calendar.ts";
import { chartsOf } from "../../../../src/wings/platform/figures/charts.ts";
import { planOf } from "../../../../src/wings/platform/figures/report.ts";
import type { UsageRow } from "../../../../src/wings/platform/figures/rows.ts";
import { createTally, type Tally } from "../../../../src/wings/platform/figures/tally.ts";
import { type UsageName, usageViews } from "../../../../src/wings/platform/figures/views.ts";
import { exampleActivityRow, exampleTokensRow, exampleToolsRow } from "../../../support/usage/examples.ts";

const range = { startDate: "2026-03-01", endDate: "2026-03-02" };
const earlier = { startDate: "2026-02-27", endDate: "2026-02-28" };

function charts(name: UsageName, rows: readonly UsageRow[], before?: readonly UsageRow[], isGrouped = false) {
  const tallyOf = (days: typeof range, all: readonly UsageRow[]): Tally => {
    const tally = createTally(planOf(name, isGrouped), calendarOf(days));
    for (const row of all) tally.add(row);
    return tally;
  };
  return chartsOf({ name, isGrouped, now: tallyOf(range, rows), before: before && tallyOf(earlier, before) });
}

const group = (date: string, group_key: string, amount: number): UsageRow => ({
  date,
  group_key,
  billable_tokens: amount,
  daily_active_users: amount,
});

describe("a chart", () => {
  it("has a value for each day, a total, and the change from the days before", () => {
    const before = [{ ...exampleTokensRow, date: "2026-02-28", billable_tokens: 500 }];
    const { days, charts: all, lists } = charts("tokens", [exampleTokensRow], before);
    expect(days).toEqual(["2026-03-01", "2026-03-02"]);
    expect(all[0]).toEqual({
      label: "Credits",
      total: "1,000",
      change: "+100 %",
      meanOf: "",
      isSum: true,
      // The service has no row of the second day.
      series: [{ name: "Credits", total: "1,000", perDay: [1000, null] }],
    });
    expect(all).toHaveLength(usageViews.tokens.measures.length);
    expect(lists[0]).toMatchObject({
      label: "Model",
      items: [
        { name: "large", value: "800", share: "80 %", part: 1 },
        { name: "small", value: "200", share: "20 %", part: 0.25 },
      ],
    });
  });

  it("has a series for each group, the largest first, and one for all that are too many", () => {
    const names = Array.from({ length: 12 }, (_, index) => `model-${index}`);
    const rows = names.map((name, index) => group("2026-03-01", name, index));
    const [chart] = charts("tokens", rows, undefined, true).charts;
    expect(chart?.series.map(({ name, total }) => `${name} ${total}`)).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5].map((index) => `model-${index} ${index}`),
      "4 more 10",
    ]);
    expect(chart?.series.at(-1)?.perDay).toEqual([10, null]);
    expect(chart?.total).toBe("66");
  });

  it("of groups whose users overlap has no total", () => {
    const rows = [group("2026-03-01", "web", 2), group("2026-03-01", "terminal-ui", 1), group("2026-03-02", "web", 1)];
    const [chart] = charts("activity", rows, rows, true).charts;
    expect(chart).toMatchObject({ total: "", change: "", isSum: false });
    expect(chart?.series.map(({ name, total }) => `${name} ${total}`)).toEqual(["web 1.5", "terminal-ui 0.5"]);
  });

  it("of users has a series for each of them", () => {
    const row = (date: string, user_email: string, sessions: number): UsageRow => ({
      date,
      user_id: user_email,
      user_email,
      sessions,
    });
    const rows = [row("2026-03-01", "ann@example.com", 1), row("2026-03-02", "ann@example.com", 2)];
    const all = charts("users", [...rows, row("2026-03-02", "bob@example.com", 1)]).charts;
    const sessions = all.find(({ label }) => label === "Sessions");
    expect(sessions?.series.map(({ name, perDay }) => [name, perDay])).toEqual([
      ["ann@example.com", [1, 2]],
      ["bob@example.com", [0, 1]],
    ]);
  });

  it("says of how many days a mean is, and has shares as percentages that add up", () => {
    const idle = { ...exampleActivityRow, daily_active_users: 0, daily_active_users_by_client: {}, sessions: 0 };
    const rest = { ...idle, date: "2026-03-02", messages: 0, user_messages: 0 };
    expect(charts("activity", [exampleActivityRow, rest]).charts[0]).toMatchObject({
      total: "3",
      meanOf: "1 of 2 days",
      series: [{ perDay: [3, 0] }],
    });
    const tools = charts("tools", [exampleToolsRow]);
    expect(tools.lists.at(-1)).toMatchObject({
      label: "Autonomy level",
      items: [{ value: "50 %" }, { value: "25 %" }, { value: "15 %" }, { value: "10 %" }],
    });
  });

  it("has no series where there is nothing to show", () => {
    expect(charts("users", []).charts[0]).toMatchObject({ total: "0", series: [] });
  });
});
