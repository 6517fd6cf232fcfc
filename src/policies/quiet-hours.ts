// Messages wait until quiet hours end, then come as one summary.
import { defer, type NotNow, type Candidate } from "./decision.ts";
import { formatTime, instantOf, wallTimeAt } from "../model/figures/wall-clock.ts";
import type { Level } from "../model/level.ts";

/** The range may end on the next day. */
export interface QuietRange {
  /** The weekdays on which it begins; 0 is Sunday. */
  days: readonly number[];
  /** Minutes since midnight. */
  from: number;
  to: number;
}

export interface QuietHours {
  ranges: readonly QuietRange[];
  /** This machine's by default. */
  timeZone?: string | undefined;
  breakThrough: readonly Level[];
  /** Every channel for people by default. */
  channels?: readonly string[] | undefined;
}

/** Adjoining ranges are one quiet time, within bounds. */
const maxQuietDays = 8;

/** Returns undefined when it is not quiet. */
export function quietUntil({ ranges, timeZone }: QuietHours, nowMs: number): number | undefined {
  let end: number | undefined;
  const last = nowMs + maxQuietDays * 24 * 60 * 60_000;
  for (let at = nowMs; at < last; at = end) {
    const next = endAt(ranges, timeZone, at);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

function endAt(ranges: readonly QuietRange[], timeZone: string | undefined, atMs: number): number | undefined {
  const { day: today, weekday } = wallTimeAt(atMs, timeZone);
  const ends = [-1, 0].flatMap((ahead) =>
    ranges
      .filter(({ days }) => days.includes((weekday + ahead + 7) % 7))
      .flatMap(({ from, to }) => {
        const day = today + ahead;
        if (instantOf(day, from, timeZone) > atMs) return [];
        const end = instantOf(to > from ? day : day + 1, to, timeZone);
        return end > atMs ? [end] : [];
      }),
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

export function quietHoursPolicy(
  { level, channel, isForPeople }: Candidate,
  quietHours: QuietHours | undefined,
  nowMs: number,
): NotNow | undefined {
  if (quietHours === undefined || quietHours.breakThrough.includes(level)) return undefined;
  const isKept = quietHours.channels === undefined ? isForPeople : quietHours.channels.includes(channel);
  const until = isKept ? quietUntil(quietHours, nowMs) : undefined;
  if (until === undefined) return undefined;
  return defer(
    "quietHours",
    until,
    `quiet hours until ${formatTime(until, nowMs, quietHours.timeZone)}`,
    "quiet hours",
  );
}
