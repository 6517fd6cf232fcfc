// Which days figures are asked for, and which came before them. Pure.
import { usageError } from "../../../model/errors.ts";
import { addDays, countDays, type DateRange, earliestDate, isDate } from "../contract/dates.ts";

const defaultDays = 7;
const maxRelativeDays = 10_000;

/** `--from 7d` is the 7 days that end with `--to`: by default yesterday (UTC), or today where there are figures of it. */
export function readPeriod(
  from: string | undefined,
  to: string | undefined,
  today: string,
  hasToday = false,
): DateRange {
  const endDate = to === "today" ? today : (to ?? (hasToday ? today : addDays(today, -1)));
  const days = from === undefined ? defaultDays : relativeDays(from);
  if (days === undefined) return { startDate: from ?? endDate, endDate };
  // The client refuses a malformed end, which is then its only problem.
  if (!isDate(endDate)) return { startDate: earliestDate, endDate };
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
