// Adds up usage rows by day, by period and by the names in their lists. Pure.
import { addDays, countDays, type DateRange } from "../contract/dates.ts";
import type { Breakdown, UsageMeasure, Summing } from "./views.ts";

/** A row of any endpoint, checked by its schema. */
export type UsageRow = Readonly<Record<string, unknown>> & { date: string };

export interface UsageReport {
  range: DateRange;
  rows: readonly UsageRow[];
  /** Undefined if there is nothing to compare with. */
  previous: { range: DateRange; rows: readonly UsageRow[] } | undefined;
  organization: string;
}

export interface Item {
  name: string;
  total: number;
  perDay: number[];
}

export function breakdownItems(breakdown: Breakdown, rows: readonly UsageRow[], days: readonly string[]): Item[] {
  const { field, names, isJoined, value, summing } = breakdown;
  const entries = rows.flatMap((row) => {
    const inner = row[field];
    if (!Array.isArray(inner)) {
      return Object.entries(inner ?? {}).map(([name, amount]) => ({ date: row.date, name, value: Number(amount) }));
    }
    return (inner as UsageRow[]).map((item) => {
      const words = names.map((name) => textOf(item, name)).filter((word) => word !== "");
      return { date: row.date, name: isJoined ? words.join(" ") : (words[0] ?? ""), value: numberOf(item, value) };
    });
  });
  return collectItems(entries, days, summing);
}

/** Adds up named values of single days; the largest first. */
export function collectItems(
  entries: readonly { date: string; name: string; value: number }[],
  days: readonly string[],
  summing: Summing,
): Item[] {
  const valuesOf = new Map<string, Map<string, number>>();
  for (const { date, name, value } of entries) {
    const values = valuesOf.get(name) ?? new Map<string, number>();
    values.set(date, (values.get(date) ?? 0) + value);
    valuesOf.set(name, values);
  }
  return [...valuesOf]
    .map(([name, values]) => {
      const perDay = days.map((day) => values.get(day) ?? 0);
      const total = perDay.reduce((sum, value) => sum + value, 0);
      return { name, total: summing === "mean" ? total / days.length : total, perDay };
    })
    .sort((a, b) => b.total - a.total);
}

export function daysOf({ startDate, endDate }: DateRange): string[] {
  return Array.from({ length: countDays({ startDate, endDate }) }, (_, index) => addDays(startDate, index));
}

/** A day without a row counts as 0. */
export function perDay(rows: readonly UsageRow[], days: readonly string[], field: string): number[] {
  const values = new Map<string, number>();
  for (const row of rows) values.set(row.date, (values.get(row.date) ?? 0) + numberOf(row, field));
  return days.map((day) => values.get(day) ?? 0);
}

export function summarize(rows: readonly UsageRow[], { field, summing }: UsageMeasure): number {
  if (rows.length === 0) return 0;
  if (summing === "last") {
    const newest = rows.reduce((latest, row) => (row.date > latest.date ? row : latest));
    return numberOf(newest, field);
  }
  const total = rows.reduce((sum, row) => sum + numberOf(row, field), 0);
  return summing === "mean" ? total / rows.length : total;
}

export function numberOf(row: UsageRow, field: string): number {
  const value = row[field];
  return typeof value === "number" ? value : 0;
}

export function textOf(row: UsageRow | undefined, field: string): string {
  const value = row?.[field];
  return typeof value === "string" ? value : "";
}
