// A report as one row for each period, and for each group in it. Pure.
import type { CsvColumn } from "../../../console/output/csv.ts";
import { addDays } from "../contract/dates.ts";
import type { Figure } from "./days.ts";
import { measuresOf, type UsageReport } from "./report.ts";
import type { UsageMeasure, UsageName } from "./views.ts";

type PeriodRow = Record<string, unknown>;

/** The measures have the names that the endpoint gives them; one that is not known is null. */
export function periodRows({ name, isGrouped, now }: UsageReport): PeriodRow[] {
  const measures = measuresOf(name, isGrouped);
  const { periods, range } = now.calendar;
  const groups = isGrouped || name === "users" ? now.groups() : undefined;
  return periods.flatMap(({ first, end }, period): PeriodRow[] => {
    const days = { start_date: addDays(range.startDate, first), end_date: addDays(range.startDate, end - 1) };
    if (groups === undefined) return [{ ...days, ...valuesOf(now.figures(), measures, period) }];
    return groups
      .filter(({ figures }) => figures.some(({ each }) => (each[period] ?? 0) > 0))
      .map((group) => ({
        ...days,
        [keyOf(isGrouped)]: group.name,
        ...valuesOf(group.figures, measures, period),
      }));
  });
}

function valuesOf(figures: readonly Figure[], measures: readonly UsageMeasure[], period: number): PeriodRow {
  return Object.fromEntries(measures.map(({ field }, index) => [field, figures[index]?.each[period] ?? null]));
}

export function periodColumns(name: UsageName, isGrouped: boolean): CsvColumn[] {
  const key = isGrouped || name === "users" ? [keyOf(isGrouped)] : [];
  return ["start_date", "end_date", ...key, ...measuresOf(name, isGrouped).map(({ field }) => field)].map((column) => [
    column,
  ]);
}

function keyOf(isGrouped: boolean): string {
  return isGrouped ? "group_key" : "user";
}
