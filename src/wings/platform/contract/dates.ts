// The rules of the analytics endpoints for dates.

/** The first day with data. */
export const earliestDate = "2026-01-14";

/** Clocks of machines differ. What is further ahead of this one's says nothing about when it was. */
export const maxAheadMs = 60 * 60 * 1000;

const dayMs = 86_400_000;

/** The UTC day of a moment, as `YYYY-MM-DD`. */
export function utcDate(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Whether the text is a day of the calendar, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && utcDate(atMs) === text;
}

/** The day so many days later, or earlier if `days` is negative. */
export function addDays(date: string, days: number): string {
  return utcDate(Date.parse(`${date}T00:00:00Z`) + days * dayMs);
}

/** How many days a range has; both ends count. */
export function countDays(range: DateRange): number {
  return (
    Math.round((Date.parse(`${range.endDate}T00:00:00Z`) - Date.parse(`${range.startDate}T00:00:00Z`)) / dayMs) + 1
  );
}

/** Both days belong to the range. */
export interface DateRange {
  startDate: string;
  endDate: string;
}

export interface DateProblem {
  parameter: keyof DateRange;
  message: string;
}

/**
 * Every reason to refuse a request for these days; `today` is the UTC day on which it is asked. With `isSoFar`, there are
 * figures of today, too.
 */
export function findDateProblems(range: DateRange, today: string, isSoFar = false): DateProblem[] {
  const problems = (["startDate", "endDate"] as const).flatMap((parameter) => {
    const message = dateProblem(range[parameter], today, isSoFar);
    return message === undefined ? [] : [{ parameter, message }];
  });
  // The document leaves this open; an answer could only mislead.
  if (problems.length === 0 && range.startDate > range.endDate) {
    problems.push({ parameter: "startDate", message: `${range.startDate} is after the end date ${range.endDate}` });
  }
  return problems;
}

function dateProblem(date: string, today: string, isSoFar: boolean): string | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(date) && !isDate(date)) return `there is no such day as ${date}`;
  if (!isDate(date)) return `${JSON.stringify(date.slice(0, 100))} is not a date of the form YYYY-MM-DD`;
  if (date < earliestDate) return `${date} is before ${earliestDate}, the first day with data`;
  const end = isSoFar ? `today, ${today}` : `yesterday, ${addDays(today, -1)}`;
  if (date === today && !isSoFar) return `${date} is today in UTC; data ends with ${end}`;
  if (date > today) return `${date} is in the future; data ends with ${end} (UTC)`;
  return undefined;
}
