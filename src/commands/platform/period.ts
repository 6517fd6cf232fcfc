// The days that a usage command covers, and the days before that it compares with.
import { usageError } from "../../model/errors.ts";
import { addDays, countDays, earliestDate, isDate, type DateRange } from "../../platform/contract/dates.ts";

const defaultDays = 7;
const maxRelativeDays = 10_000;

/** `--from 7d` is the 7 days that end with `--to`, by default yesterday (UTC). */
export function readPeriod(from: string | undefined, to: string | undefined, today: string): DateRange {
  const endDate = to ?? addDays(today, -1);
  const days = from === undefined ? defaultDays : relativeDays(from);
  // The client refuses a malformed end, together with all other problems.
  if (days === undefined || !isDate(endDate)) return { startDate: from ?? endDate, endDate };
  return { startDate: addDays(endDate, 1 - days), endDate };
}

function relativeDays(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,5})([dw])$/.exec(text) ?? [];
  if (amount === undefined) return undefined;
  const days = Number(amount) * (unit === "w" ? 7 : 1);
  if (days >= 1 && days <= maxRelativeDays) return days;
  throw usageError("period", `invalid --from ${text}`, "write --from 7d, --from 4w, or --from 2026-03-01");
}

/** The same number of days before; undefined if the service has no data for some of them. */
export function previousPeriod(range: DateRange): DateRange | undefined {
  const startDate = addDays(range.startDate, -countDays(range));
  return startDate < earliestDate ? undefined : { startDate, endDate: addDays(range.startDate, -1) };
}
