// Adds up usage rows, one after the other, and keeps none of them: by day, by period, by group and by the names in their
// lists. Pure.
import type { Calendar } from "./calendar.ts";
import { type Cells, createDays, type Days, type Figure } from "./days.ts";
import { createGroups, type UsageGroup, type GroupPlan } from "./groups.ts";
import { isActiveRow, numberOf, textOf, type UsageRow, weightOf } from "./rows.ts";
import type { Breakdown } from "./views.ts";

export interface TallyPlan extends GroupPlan {
  breakdowns?: readonly Breakdown[];
  /** Whose the row is, where there are groups. */
  groupOf?: (row: UsageRow) => { key: string; name: string };
}

export interface Tally {
  calendar: Calendar;
  add(row: UsageRow): void;
  /** One for each measure. */
  figures(): Figure[];
  /** The largest first. */
  items(breakdown: Breakdown): Figure[];
  /** Those with the most of the first measure first. */
  groups(): UsageGroup[];
}

export function createTally(plan: TallyPlan, calendar: Calendar): Tally {
  const { measures, breakdowns = [], groupOf } = plan;
  const days = createDays(calendar);
  const cells = measures.map(() => days.cells());
  const lists = new Map<Breakdown, Items>(
    breakdowns.map((each) => [each, { items: new Map(), weights: days.cells() }]),
  );
  const groups = createGroups(plan, days);
  return {
    calendar,
    add(row) {
      const day = days.indexOf(row.date);
      if (day === undefined) return;
      days.note(day, isActiveRow(row, measures));
      for (const [index, measure] of measures.entries()) {
        const cell = cells[index];
        if (cell === undefined) continue;
        const value = numberOf(row, measure.field);
        if (measure.summing === "sum" || measure.summing === "mean") cell.values[day] = (cell.values[day] ?? 0) + value;
        else cell.values[day] = value;
        if (measure.summing === "ratio") cell.weights[day] = weightOf(row, measure.of);
      }
      for (const [breakdown, list] of lists) addItems(list, breakdown, row, { day, days });
      if (groupOf !== undefined) groups.add(row, day, groupOf(row));
    },
    figures: () =>
      measures.map((measure, index) => days.figure(measure.label, measure.summing, cells[index] ?? days.cells())),
    items: (breakdown) => itemFigures(breakdown, lists.get(breakdown), days),
    groups: () => groups.list(),
  };
}

/** The names in a row's list, or in its object of numbers. */
interface Items {
  /** The value of each name by day. */
  items: Map<string, Float64Array>;
  /** What shares are of, by day, in its `values`. */
  weights: Cells;
}

function addItems(
  { items, weights }: Items,
  breakdown: Breakdown,
  row: UsageRow,
  { day, days }: { day: number; days: Days },
): void {
  const entries = entriesOf(breakdown, row);
  const all = entries.reduce((sum, [, value]) => sum + value, 0);
  const isShare = breakdown.summing === "ratio";
  if (isShare) {
    if (all <= 0) return;
    weights.values[day] = weightOf(row, breakdown.of);
  }
  for (const [name, value] of entries) {
    const values = items.get(name) ?? days.cells().values;
    items.set(name, values);
    // The service rounds shares, and their sum with them.
    values[day] = (values[day] ?? 0) + (isShare ? value / all : value);
  }
}

function entriesOf({ field, names, isJoined = false, value }: Breakdown, row: UsageRow): [string, number][] {
  const inner = row[field];
  if (!Array.isArray(inner)) return Object.entries(inner ?? {}).map(([name, amount]) => [name, Number(amount)]);
  return (inner as UsageRow[]).map((item): [string, number] => {
    const words = names.map((name) => textOf(item, name)).filter((word) => word !== "");
    return [isJoined ? words.join(" ") : (words[0] ?? ""), numberOf(item, value)];
  });
}

function itemFigures({ summing }: Breakdown, list: Items | undefined, days: Days): Figure[] {
  if (list === undefined) return [];
  const { items, weights } = list;
  return [...items]
    .map(([name, values]) => days.figure(name, summing, { values, weights: weights.values }))
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
}
