// Rows as charts: series, totals and changes, and what has too many names for one chart.
import { describe, expect, it } from "vitest";
import { chartGroups, chartUsage, chartUsers } from "../../../../src/wings/platform/figures/charts.ts";
import type { UsageReport, UsageRow } from "../../../../src/wings/platform/figures/figures.ts";
import { usageViews } from "../../../../src/wings/platform/figures/views.ts";
import { exampleTokensRow } from "../../../support/usage/examples.ts";

const range = { startDate: "2026-03-01", endDate: "2026-03-02" };

function usageOf(rows: readonly UsageRow[], before?: readonly UsageRow[]): UsageReport {
  const earlier = { startDate: "2026-02-27", endDate: "2026-02-28" };
  return { range, rows, previous: before && { range: earlier, rows: before }, organization: "" };
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
    const { days, charts, lists } = chartUsage(usageViews.tokens, usageOf([exampleTokensRow], before));
    expect(days).toEqual(["2026-03-01", "2026-03-02"]);
    expect(charts[0]).toEqual({
      label: "Credits",
      total: "1,000",
      change: "+100 %",
      isSum: true,
      series: [{ name: "Credits", total: "1,000", perDay: [1000, 0] }],
    });
    expect(charts).toHaveLength(usageViews.tokens.measures.length);
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
    const [chart] = chartGroups("Tokens", usageViews.tokens.grouped, usageOf(rows)).charts;
    expect(chart?.series.map(({ name, total }) => `${name} ${total}`)).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5].map((index) => `model-${index} ${index}`),
      "4 more 10",
    ]);
    expect(chart?.series.at(-1)?.perDay).toEqual([10, 0]);
    expect(chart?.total).toBe("66");
  });

  it("of groups whose users overlap has no total", () => {
    const rows = [group("2026-03-01", "web", 2), group("2026-03-01", "terminal-ui", 1), group("2026-03-02", "web", 1)];
    const [chart] = chartGroups("Activity", usageViews.activity.grouped, usageOf(rows, rows)).charts;
    expect(chart).toMatchObject({ total: "", change: "", isSum: false });
    expect(chart?.series.map(({ name, total }) => `${name} ${total}`)).toEqual(["web 1.5", "terminal-ui 0.5"]);
  });

  it("of users has a series for each of them", () => {
    const row = (date: string, user_email: string, sessions: number): UsageRow => ({ date, user_email, sessions });
    const rows = [row("2026-03-01", "ann@example.com", 1), row("2026-03-02", "ann@example.com", 2)];
    const { charts } = chartUsers(usageViews.users, usageOf([...rows, row("2026-03-02", "bob@example.com", 1)]));
    const sessions = charts.find(({ label }) => label === "Sessions");
    expect(sessions?.series.map(({ name, perDay }) => [name, perDay])).toEqual([
      ["ann@example.com", [1, 2]],
      ["bob@example.com", [0, 1]],
    ]);
  });

  it("has no series where there is nothing to show", () => {
    expect(chartUsers(usageViews.users, usageOf([])).charts[0]).toMatchObject({ total: "0", series: [] });
  });
});
