// A report as charts: a series for each group, totals with the change from the period before, and lists. Pure.
import { formatShare } from "../../../model/figures/numbers.ts";
import type { Figure } from "./days.ts";
import type { UsageGroup } from "./groups.ts";
import {
  changeOf,
  formatFigure,
  formatItem,
  hasTotal,
  labelOf,
  meanOfText,
  measuresOf,
  type UsageReport,
} from "./report.ts";
import { type Breakdown, type UsageMeasure, type UsageView, usageViews } from "./views.ts";

export interface UsageCharts {
  title: string;
  /** `YYYY-MM-DD` (UTC), one for each value of a series. */
  days: readonly string[];
  charts: UsageChart[];
  lists: UsageList[];
}

export interface UsageChart {
  label: string;
  /** What people read; empty if groups have no total. */
  total: string;
  /** What people read of the days before, such as `+12 %`; empty if that is unknown. */
  change: string;
  /** `5 of 7 days`, if the total is a mean that leaves days out. */
  meanOf: string;
  /** Whether the series add up to something. */
  isSum: boolean;
  /** The largest first. `perDay` has null for a day that has no such figure. */
  series: { name: string; total: string; perDay: (number | null)[] }[];
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
export function chartsOf(report: UsageReport): UsageCharts {
  const { name, isGrouped, now } = report;
  const view: UsageView = usageViews[name];
  const groups = isGrouped || name === "users" ? now.groups() : undefined;
  return {
    title: view.title,
    days: now.calendar.days,
    charts: measuresOf(name, isGrouped).map((measure, index) => chartOf(measure, index, report, groups)),
    lists:
      groups === undefined
        ? view.breakdowns.flatMap((breakdown) => {
            const items = now.items(breakdown);
            return items.length === 0 ? [] : [listOf(breakdown, items)];
          })
        : [],
  };
}

function chartOf(
  measure: UsageMeasure,
  index: number,
  { now, before, isGrouped }: UsageReport,
  groups: readonly UsageGroup[] | undefined,
): UsageChart {
  const own = now.figures()[index];
  const isTotal = hasTotal(measure, isGrouped);
  const label = labelOf(measure, now.calendar);
  // No row of a user means that no one did anything.
  const total = groups === undefined ? own?.total : (own?.total ?? 0);
  const figures =
    groups === undefined ? (own === undefined ? [] : [{ ...own, name: label }]) : byMeasure(groups, index);
  return {
    label,
    total: isTotal ? formatFigure(total) : "",
    change: isTotal ? changeOf(total, before?.figures()[index]?.total) : "",
    meanOf: own === undefined ? "" : meanOfText(own, now.calendar),
    isSum: measure.summing === "sum",
    series: withoutSmallest(figures).map((figure) => ({
      name: figure.name,
      total: formatFigure(figure.total),
      perDay: figure.each.map((value) => value ?? null),
    })),
  };
}

/** The groups that have something of this measure; the largest first. */
function byMeasure(groups: readonly UsageGroup[], index: number): Figure[] {
  return groups
    .flatMap(({ name, figures }) => {
      const figure = figures[index];
      return figure === undefined || (figure.total ?? 0) <= 0 ? [] : [{ ...figure, name }];
    })
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
}

function withoutSmallest(figures: readonly Figure[]): Figure[] {
  if (figures.length <= maxSeries) return [...figures];
  const rest = figures.slice(maxSeries - 1);
  const each = (rest[0]?.each ?? []).map((first, day) =>
    first === undefined ? undefined : rest.reduce((sum, figure) => sum + (figure.each[day] ?? 0), 0),
  );
  const total = rest.reduce((sum, figure) => sum + (figure.total ?? 0), 0);
  return [...figures.slice(0, maxSeries - 1), { name: `${rest.length} more`, total, each }];
}

function listOf(breakdown: Breakdown, items: readonly Figure[]): UsageList {
  const all = items.reduce((sum, { total = 0 }) => sum + total, 0);
  const largest = items[0]?.total ?? 0;
  return {
    label: breakdown.label,
    valueLabel: breakdown.valueLabel,
    items: items.slice(0, maxItems).map(({ name, total }) => ({
      name,
      value: formatItem(total, breakdown),
      share: breakdown.summing === "sum" ? formatShare(total ?? 0, all) : "",
      part: largest === 0 ? 0 : (total ?? 0) / largest,
    })),
  };
}
