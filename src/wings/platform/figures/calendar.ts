// The days of a range, each by itself or put together as weeks and months. Pure.
import { addDays, countDays, type DateRange } from "../contract/dates.ts";

/** How days are put together. */
export const spans = ["day", "week", "month"] as const;
export type UsageSpan = (typeof spans)[number];

/** Some days of a calendar: from `first` to before `end`. */
export interface Period {
  label: string;
  first: number;
  end: number;
}

export interface Calendar {
  range: DateRange;
  /** `YYYY-MM-DD`, without gaps. */
  days: readonly string[];
  by: UsageSpan;
  periods: readonly Period[];
}

/** Weeks begin on Monday, as those of budgets do. The first and the last period may have fewer days. */
export function calendarOf(range: DateRange, by: UsageSpan = "day"): Calendar {
  const days = Array.from({ length: countDays(range) }, (_, index) => addDays(range.startDate, index));
  const starts = days.flatMap((day, index) => (index === 0 || isStart(day, by) ? [index] : []));
  const periods = starts.map((first, index) => {
    const end = starts[index + 1] ?? days.length;
    return { label: labelOf(days[first] ?? "", days[end - 1] ?? "", by), first, end };
  });
  return { range, days, by, periods };
}

function isStart(day: string, by: UsageSpan): boolean {
  if (by === "week") return new Date(day).getUTCDay() === 1;
  return by === "day" || day.endsWith("-01");
}

/** A whole month is named; any other period says its days. */
function labelOf(first: string, last: string, by: UsageSpan): string {
  const isWholeMonth = by === "month" && first.endsWith("-01") && addDays(last, 1).endsWith("-01");
  if (isWholeMonth) return first.slice(0, 7);
  return first === last ? first : `${first} to ${last}`;
}
