// Adds up the names in a row's list, or in its object of numbers. Pure.
import type { Cells, Days } from "./days.ts";
import { numberOf, textOf, type UsageRow, weightOf } from "./rows.ts";
import type { Breakdown } from "./views.ts";

export interface Items {
  /** The value of each name by day. */
  items: Map<string, Float64Array>;
  /** What shares are of, by day, in its `values`. */
  weights: Cells;
}

export function addItems(
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
