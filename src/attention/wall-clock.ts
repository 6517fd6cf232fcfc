// Dates and times of day in a time zone, with daylight saving time and leap days left to Intl.

const dayMs = 24 * 60 * 60_000;
const minuteMs = 60_000;

/** What a clock on the wall shows. */
export interface WallTime {
  /** Days since 1 January 1970, by the local calendar. */
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

/** Making one takes much longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string | undefined): Intl.DateTimeFormat {
  const key = zone ?? "";
  const known = formats.get(key);
  if (known !== undefined) return known;
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    calendar: "iso8601",
    hourCycle: "h23",
    timeZone: zone,
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formats.set(key, format);
  return format;
}

/** Whether this machine knows the time zone, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    return formatFor(zone) !== undefined;
  } catch {
    return false;
  }
}

/** The local date and time as if it were UTC, in milliseconds. */
function localMs(atMs: number, zone: string | undefined): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatFor(zone).formatToParts(atMs)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** `zone` undefined: this machine's. */
export function wallTimeAt(atMs: number, zone: string | undefined): WallTime {
  const local = localMs(atMs, zone);
  const day = Math.floor(local / dayMs);
  return { day, weekday: (((day + 4) % 7) + 7) % 7, minutes: Math.floor((local - day * dayMs) / minuteMs) };
}

/**
 * When the clock on the wall shows this time, in milliseconds since the epoch. A time that comes twice means the first;
 * a time that is skipped means as much later as the clock jumps.
 */
export function instantOf(day: number, minutes: number, zone: string | undefined): number {
  const wanted = day * dayMs + minutes * minuteMs;
  const offsetAt = (atMs: number): number => localMs(atMs, zone) - Math.floor(atMs / 1000) * 1000;
  const before = offsetAt(wanted - dayMs);
  const after = offsetAt(wanted + dayMs);
  const [first, second] = [wanted - Math.max(before, after), wanted - Math.min(before, after)];
  return [first, second].find((atMs) => localMs(atMs, zone) === wanted) ?? wanted - before;
}

/** The next time at which the clock on the wall shows these minutes since midnight; strictly after `afterMs`. */
export function nextInstantOf(minutes: number, afterMs: number, zone: string | undefined): number {
  const { day } = wallTimeAt(afterMs, zone);
  for (let ahead = 0; ahead <= 2; ahead += 1) {
    const at = instantOf(day + ahead, minutes, zone);
    if (at > afterMs) return at;
  }
  return afterMs + dayMs;
}

/** `07:30` as minutes since midnight; `24:00` is the end of the day. Undefined when it is no time of day. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined || Number(minutes) > 59) return undefined;
  const total = Number(hours) * 60 + Number(minutes);
  return total <= 24 * 60 ? total : undefined;
}

const weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** `07:00`, with the weekday when it is not today, and the date when it is a week or more away. */
export function formatTime(atMs: number, nowMs: number, zone: string | undefined): string {
  const { day, weekday, minutes } = wallTimeAt(atMs, zone);
  const two = (value: number): string => String(value).padStart(2, "0");
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const days = day - wallTimeAt(nowMs, zone).day;
  if (days === 0) return time;
  if (days > 0 && days < 7) return `${weekdayNames[weekday]} ${time}`;
  return `${new Date(day * dayMs).toISOString().slice(0, 10)} ${time}`;
}
