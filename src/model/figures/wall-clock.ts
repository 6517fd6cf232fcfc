// Times of day in a time zone; Intl knows daylight saving time.

const dayMs = 24 * 60 * 60_000;
const minuteMs = 60_000;

export interface WallTime {
  /** Days since 1 January 1970. */
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

/** The name of this machine's time zone, such as Europe/Berlin. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A format is slow to make, so each is kept. */
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

export function isTimeZone(zone: string): boolean {
  try {
    return zone !== "" && formatFor(zone) !== undefined;
  } catch {
    return false;
  }
}

/** Clocks change at a quarter of an hour. */
const quarterMs = 15 * minuteMs;
const maxOffsets = 1000;
const offsets = new Map<string, number>();

/** Milliseconds ahead of UTC. */
function offsetAt(atMs: number, zone: string | undefined): number {
  const quarter = Math.floor(atMs / quarterMs);
  const key = `${quarter} ${zone ?? ""}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatFor(zone).formatToParts(quarter * quarterMs)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * quarterMs;
  if (offsets.size >= maxOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

/** What the clock on a wall there shows, as if it were UTC. */
export function wallMs(atMs: number, zone: string | undefined): number {
  return atMs + offsetAt(atMs, zone);
}

/** Without a zone, it is this machine's. */
export function wallTimeAt(atMs: number, zone: string | undefined): WallTime {
  const local = wallMs(atMs, zone);
  const day = Math.floor(local / dayMs);
  return { day, weekday: (((day + 4) % 7) + 7) % 7, minutes: Math.floor((local - day * dayMs) / minuteMs) };
}

/** A time that comes twice means the first; a skipped one is as much later as the clock jumps. */
export function instantOf(day: number, minutes: number, zone: string | undefined): number {
  const wanted = day * dayMs + minutes * minuteMs;
  const before = offsetAt(wanted - dayMs, zone);
  const after = offsetAt(wanted + dayMs, zone);
  const [first, second] = [wanted - Math.max(before, after), wanted - Math.min(before, after)];
  return [first, second].find((atMs) => wallMs(atMs, zone) === wanted) ?? wanted - before;
}

/** The instant is strictly after `afterMs`. */
export function nextInstantOf(minutes: number, afterMs: number, zone: string | undefined): number {
  const { day } = wallTimeAt(afterMs, zone);
  for (let ahead = 0; ahead <= 2; ahead += 1) {
    const at = instantOf(day + ahead, minutes, zone);
    if (at > afterMs) return at;
  }
  return afterMs + dayMs;
}

/** `07:30`; `24:00` is the end of the day. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours === undefined || minutes === undefined || Number(minutes) > 59) return undefined;
  const total = Number(hours) * 60 + Number(minutes);
  return total <= 24 * 60 ? total : undefined;
}

const weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

const weekMs = 7 * dayMs;

export function formatTime(atMs: number, nowMs: number, zone: string | undefined): string {
  const { day, weekday, minutes } = wallTimeAt(atMs, zone);
  const two = (value: number): string => String(value).padStart(2, "0");
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  const aheadMs = atMs - nowMs;
  if (Math.abs(aheadMs) < dayMs) return time;
  if (aheadMs >= 0 && aheadMs < weekMs) return `${weekdayNames[weekday]} ${time}`;
  return `${new Date(day * dayMs).toISOString().slice(0, 10)} ${time}`;
}
