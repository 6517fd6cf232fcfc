// Figures by day, and what they are over some days. Pure.
import type { Calendar } from "./calendar.ts";
import type { Summing } from "./views.ts";

/** A measure, or an item of a list: over all days, and in each period of the calendar. Undefined: there is none. */
export interface Figure {
  name: string;
  total: number | undefined;
  each: (number | undefined)[];
  /** How many of the days a mean is of. */
  meanOf?: number;
}

/** A value and, for a ratio, its weight for each day. */
export interface Cells {
  values: Float64Array;
  weights: Float64Array;
}

export interface Days {
  calendar: Calendar;
  cells(): Cells;
  indexOf(date: string): number | undefined;
  /** There is a row of this day; whether anyone worked. */
  note(day: number, isActive: boolean): void;
  /** The days with sessions from `first` to before `end`. */
  active(first: number, end: number): number;
  hasRows(first: number, end: number): boolean;
  figure(name: string, summing: Summing, cells: Cells): Figure;
}

export function createDays(calendar: Calendar): Days {
  const { days: dates, periods } = calendar;
  const indexes = new Map(dates.map((date, index) => [date, index]));
  const rows = new Uint8Array(dates.length);
  const actives = new Uint8Array(dates.length);
  const sum = (values: ArrayLike<number>, first: number, end: number): number => {
    let total = 0;
    for (let day = first; day < end; day += 1) total += values[day] ?? 0;
    return total;
  };
  const days: Days = {
    calendar,
    cells: () => ({ values: new Float64Array(dates.length), weights: new Float64Array(dates.length) }),
    indexOf: (date) => indexes.get(date),
    note(day, isActive) {
      rows[day] = 1;
      if (isActive) actives[day] = 1;
    },
    active: (first, end) => sum(actives, first, end),
    hasRows: (first, end) => sum(rows, first, end) > 0,
    figure(name, summing, cells) {
      const total = over(summing, cells, 0, dates.length);
      const each = periods.map(({ first, end }) => over(summing, cells, first, end).value);
      return { name, total: total.value, each, ...(total.meanOf === undefined ? {} : { meanOf: total.meanOf }) };
    },
  };

  function over(summing: Summing, { values, weights }: Cells, first: number, end: number): Over {
    if (!days.hasRows(first, end)) return { value: undefined };
    if (summing === "sum") return { value: sum(values, first, end) };
    if (summing === "last") return { value: values[rows.lastIndexOf(1, end - 1)] };
    const active = days.active(first, end);
    if (summing === "mean") {
      // What a single day had is known, also where no one worked.
      if (end - first === 1) return { value: values[first], meanOf: active };
      return { value: active === 0 ? undefined : sum(values, first, end) / active, meanOf: active };
    }
    return ratioOver(values, weights, first, end);
  }

  /** Where nothing says what the ratios are of, each day with sessions weighs the same. */
  function ratioOver(values: Float64Array, weights: Float64Array, first: number, end: number): Over {
    let [weighted, weight, counted] = [0, 0, 0];
    const isWeighted = sum(weights, first, end) > 0;
    for (let day = first; day < end; day += 1) {
      const own = actives[day] === 1 ? (isWeighted ? (weights[day] ?? 0) : 1) : 0;
      if (own <= 0) continue;
      weighted += (values[day] ?? 0) * own;
      weight += own;
      counted += 1;
    }
    return { value: counted === 0 ? undefined : weighted / weight, meanOf: counted };
  }
  return days;
}

interface Over {
  value: number | undefined;
  meanOf?: number;
}
