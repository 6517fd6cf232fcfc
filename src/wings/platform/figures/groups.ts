// Adds up rows that belong to models, tools, clients or users. Pure.
import type { Days, Figure } from "./days.ts";
import { numberOf, textOf, type UsageRow } from "./rows.ts";
import type { UsageMeasure } from "./views.ts";

export interface GroupPlan {
  measures: readonly UsageMeasure[];
  /** Fields whose most used value is wanted of each group: by the first measure. */
  favourites?: readonly string[];
  /** How many measures of a group are kept by day; by default all. */
  dailyMeasures?: number;
}

export interface UsageGroup {
  name: string;
  /** One for each measure. */
  figures: Figure[];
  /** The most used value of each wanted field. */
  favourites: string[];
}

interface Sums {
  name: string;
  totals: number[];
  /** By day, of as many measures as wanted. */
  daily: Float64Array[];
  /** What the first measure had with each value of a field. */
  values: Map<string, number>[];
}

export interface Groups {
  add(row: UsageRow, day: number, group: { key: string; name: string }): void;
  list(): UsageGroup[];
}

export function createGroups(plan: GroupPlan, days: Days): Groups {
  const { measures, favourites = [], dailyMeasures = measures.length } = plan;
  const known = new Map<string, Sums>();
  return {
    add(row, day, { key, name }) {
      const sums = known.get(key) ?? {
        name,
        totals: measures.map(() => 0),
        daily: measures.slice(0, dailyMeasures).map(() => days.cells().values),
        values: favourites.map(() => new Map<string, number>()),
      };
      known.set(key, sums);
      for (const [index, { field }] of measures.entries()) {
        const value = numberOf(row, field);
        sums.totals[index] = (sums.totals[index] ?? 0) + value;
        const daily = sums.daily[index];
        if (daily !== undefined) daily[day] = (daily[day] ?? 0) + value;
      }
      for (const [index, field] of favourites.entries()) {
        const word = textOf(row, field);
        const values = sums.values[index];
        if (word !== "") values?.set(word, (values.get(word) ?? 0) + numberOf(row, measures[0]?.field ?? ""));
      }
    },
    list: () =>
      [...known.values()]
        .map((sums) => groupOf(sums, plan, days))
        .sort((a, b) => (b.figures[0]?.total ?? 0) - (a.figures[0]?.total ?? 0)),
  };
}

function groupOf({ name, totals, daily, values }: Sums, { measures }: GroupPlan, days: Days): UsageGroup {
  const { days: dates, periods } = days.calendar;
  const active = days.active(0, dates.length);
  const figures = measures.map(({ label, summing }, index): Figure => {
    const total = totals[index] ?? 0;
    const own = daily[index];
    const meanOf = summing === "mean" ? { meanOf: active } : {};
    const each =
      own === undefined
        ? []
        : days.figure(label, summing, { values: own, weights: own }).each.map((value, period) => {
            const { first = 0, end = 0 } = periods[period] ?? {};
            // A group without a row has done nothing on a day that has rows.
            return days.hasRows(first, end) ? (value ?? 0) : undefined;
          });
    return { name: label, total: summing === "mean" ? total / Math.max(1, active) : total, each, ...meanOf };
  });
  return { name, figures, favourites: values.map(mostUsed) };
}

function mostUsed(values: ReadonlyMap<string, number>): string {
  const [most] = [...values].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? "";
}
