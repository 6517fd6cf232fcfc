// What is read of a usage row. Pure.
import type { RatioOf, UsageMeasure } from "./views.ts";

/** A row of any endpoint, checked by its schema. */
export type UsageRow = Readonly<Record<string, unknown>> & { date: string };

export function numberOf(row: UsageRow, field: string): number {
  const value = row[field];
  return typeof value === "number" ? value : 0;
}

export function textOf(row: UsageRow, field: string): string {
  const value = row[field];
  return typeof value === "string" ? value : "";
}

/** A trailing window has users on a day without sessions, too. */
export function isActiveRow(row: UsageRow, measures: readonly UsageMeasure[]): boolean {
  return measures.some(({ summing, field }) => summing !== "last" && numberOf(row, field) > 0);
}

export function isEmptyRow(row: UsageRow): boolean {
  return Object.values(row).every((value) => typeof value !== "number" || value === 0);
}

/** The zeros of a day on which the server did not count yet are not figures. `since` is in ISO 8601. */
export function isBeforeCounting(row: UsageRow, since = ""): boolean {
  return row.date < since.slice(0, 10) && isEmptyRow(row);
}

/**
 * How many turns, sessions or calls the row's ratios are of. The service gives the ratios and the calls of tools, so the
 * rest follows from them; it is 0 where it does not.
 */
export function weightOf(row: UsageRow, of: RatioOf = "days"): number {
  const calls = numberOf(row, "tool_calls");
  if (of === "days") return 1;
  if (of === "calls") return calls;
  const perOne = numberOf(row, of === "turns" ? "autonomy_ratio_avg" : "tool_calls_per_session_avg");
  return perOne > 0 ? calls / perOne : 0;
}
