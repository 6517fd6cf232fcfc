// When a usage limit resets, as an agent's message about it says: "You've hit your 5-hour limit · resets 10am (Europe/Zurich)",
// or "You've hit your usage limit. Try again at Nov 25th, 2026 3:05 PM.".
import { instantOf, isTimeZone, nextInstantOf, wallTimeAt } from "../model/figures/wall-clock.ts";

const clockTime =
  /\b(?:resets? (?:at )?|[Tt]ry again at )(?:(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2})(?:,| at|[a-z]{2}, \d{4}) )?(?<hour>\d{1,2})(?::(?<minute>\d{2}))? ?(?<half>[ap]m|[AP]M)\b(?: \((?<zone>[\w+/-]{1,64})\))?/;
/** Claude Code of 2025: "usage limit reached|1750708800", in seconds since the epoch. */
const epoch = /\blimit reached\|(\d{10})\b/;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const dayMs = 24 * 60 * 60_000;
/** Weekly limits are the longest. */
const longestMs = 8 * dayMs;
/** The provider's clock may be behind this machine's by as much: then the limit has just been reset. */
const skewMs = 10 * 60_000;

/** Milliseconds since the epoch, not before now; undefined where it says none. The time has no seconds, and is in this machine's zone if it names none. */
export function resetIn(message: string, nowMs: number): number | undefined {
  const seconds = epoch.exec(message)?.[1];
  const at = seconds === undefined ? clockTimeIn(message, nowMs) : Number(seconds) * 1000;
  return at !== undefined && at > nowMs - skewMs && at - nowMs <= longestMs ? Math.max(at, nowMs) : undefined;
}

function clockTimeIn(message: string, nowMs: number): number | undefined {
  const { month, day, hour, minute = "0", half, zone: named } = clockTime.exec(message)?.groups ?? {};
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (hour === undefined || hours < 1 || hours > 12 || minutes > 59) return undefined;
  const zone = named !== undefined && isTimeZone(named) ? named : undefined;
  const ofDay = ((hours % 12) + (half?.toLowerCase() === "pm" ? 12 : 0)) * 60 + minutes;
  if (month === undefined) return nextInstantOf(ofDay, nowMs - skewMs, zone);
  const monthIndex = months.indexOf(month);
  if (monthIndex === -1) return undefined;
  const thisYear = new Date(wallTimeAt(nowMs, zone).day * dayMs).getUTCFullYear();
  const instants = [thisYear, thisYear + 1].map((year) =>
    instantOf(Date.UTC(year, monthIndex, Number(day)) / dayMs, ofDay, zone),
  );
  return instants.find((at) => at > nowMs - skewMs);
}
