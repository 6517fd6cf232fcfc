// Usage rows as charts: a series for each group, totals with the change from the period before, and lists. Pure.
import { formatChange, formatNumber, formatShare } from "../../../model/figures/numbers.ts";
import {
  breakdownItems,
  collectItems,
  daysOf,
  numberOf,
  perDay,
  summarize,
  textOf,
  type Item,
  type UsageReport,
  type UsageRow,
} from "./figures.ts";
import type { Breakdown, UsageMeasure, UsageView } from "./views.ts";

export interface UsageCharts {
  title: string;
  /** `YYYY-MM-DD` (UTC), one for each value of a series. */
  days: string[];
  charts: UsageChart[];
  lists: UsageList[];
}

export interface UsageChart {
  label: string;
  /** What people read; empty if groups have no total. */
  total: string;
  /** What people read of the days before, such as `+12 %`; empty if that is unknown. */
  change: string;
  /** Whether the series add up to something. */
  isSum: boolean;
  /** The largest first. */
  series: { name: string; total: string; perDay: number[] }[];
}

export interface UsageList {
  label: string;
  valueLabel: string;
  /** The largest first. `part` is the share of the largest one, 0 to 1. */
  items: { name: string; value: string; share: string; part: number }[];
}

/** More colours cannot be told apart. */
const maxSeries = 8;
const maxItems = 10;

/** One chart for each measure. */
export function chartUsage(view: UsageView, usage: UsageReport): UsageCharts {
  const days = daysOf(usage.range);
  return {
    title: view.title,
    days,
    charts: view.measures.map((measure) => {
      const total = formatNumber(summarize(usage.rows, measure));
      return chartOf(measure, usage, [{ name: measure.label, total, perDay: perDay(usage.rows, days, measure.field) }]);
    }),
    lists: view.breakdowns.flatMap((breakdown) => {
      const items = breakdownItems(breakdown, usage.rows, days);
      return items.length === 0 ? [] : [listOf(breakdown, items)];
    }),
  };
}

/** Rows that belong to groups: models, tools, clients. */
export function chartGroups(
  title: string,
  { measure }: NonNullable<UsageView["grouped"]>,
  usage: UsageReport,
): UsageCharts {
  return {
    title,
    days: daysOf(usage.range),
    charts: [chartOfNamed(measure, usage, (row) => String(row.group_key))],
    lists: [],
  };
}

/** One chart for each measure, with a series for each user. */
export function chartUsers(view: UsageView, usage: UsageReport): UsageCharts {
  const nameOf = (row: UsageRow): string => textOf(row, "user_email") || textOf(row, "user_id");
  const charts = view.measures.map((measure) => chartOfNamed(measure, usage, nameOf));
  return { title: view.title, days: daysOf(usage.range), charts, lists: [] };
}

function chartOfNamed(measure: UsageMeasure, usage: UsageReport, nameOf: (row: UsageRow) => string): UsageChart {
  const items = collectItems(
    usage.rows.map((row) => ({ date: row.date, name: nameOf(row), value: numberOf(row, measure.field) })),
    daysOf(usage.range),
    measure.summing,
  ).filter(({ total }) => total > 0);
  const series = withoutSmallest(items).map(({ total, ...item }) => ({ ...item, total: formatNumber(total) }));
  return chartOf(measure, usage, series);
}

function chartOf(measure: UsageMeasure, { rows, previous }: UsageReport, series: UsageChart["series"]): UsageChart {
  const isSum = measure.summing === "sum";
  // Who uses two clients is in both groups, so a mean of the groups together would be wrong.
  const hasTotal = isSum || rows.every((row) => row.group_key === undefined);
  const total = summarize(rows, measure);
  return {
    label: measure.label,
    total: hasTotal ? formatNumber(total) : "",
    change: hasTotal ? formatChange(total, previous && summarize(previous.rows, measure)) : "",
    isSum,
    series,
  };
}

function withoutSmallest(items: readonly Item[]): Item[] {
  if (items.length <= maxSeries) return [...items];
  const rest = items.slice(maxSeries - 1);
  const perDay = rest[0]?.perDay.map((_, day) => rest.reduce((sum, item) => sum + (item.perDay[day] ?? 0), 0)) ?? [];
  const total = rest.reduce((sum, item) => sum + item.total, 0);
  return [...items.slice(0, maxSeries - 1), { name: `${rest.length} more`, total, perDay }];
}

function listOf({ label, valueLabel, summing }: Breakdown, items: readonly Item[]): UsageList {
  const all = items.reduce((sum, { total }) => sum + total, 0);
  const largest = items[0]?.total ?? 0;
  return {
    label,
    valueLabel,
    items: items.slice(0, maxItems).map(({ name, total }) => ({
      name,
      value: formatNumber(total),
      share: summing === "sum" ? formatShare(total, all) : "",
      part: largest === 0 ? 0 : total / largest,
    })),
  };
}
