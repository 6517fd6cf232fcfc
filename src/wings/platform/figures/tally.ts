// Adds up usage rows, one after the other, and keeps none of them: by day, by period, by group and by the names in their
// lists. Pure.
import type { Calendar } from "./calendar.ts";
import { createDays, type Days, type Figure } from "./days.ts";
import { createGroups, type UsageGroup, type GroupPlan } from "./groups.ts";
import { addItems, type Items } from "./items.ts";
import { isActiveRow, numberOf, type UsageRow, weightOf } from "./rows.ts";
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

function itemFigures({ summing }: Breakdown, list: Items | undefined, days: Days): Figure[] {
  if (list === undefined) return [];
  const { items, weights } = list;
  return [...items]
    .map(([name, values]) => days.figure(name, summing, { values, weights: weights.values }))
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
}
