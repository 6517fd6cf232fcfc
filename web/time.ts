// Times as a person reads them, and a clock that makes components draw themselves again.
import { useEffect, useState } from "preact/hooks";

/** How far this browser's clock is behind the server's. */
let behindMs = 0;

export function setServerTime(at: number): void {
  behindMs = at - Date.now();
}

const ticking = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Milliseconds since the epoch, by the server's clock; drawn again every second, all components in the same frame. */
export function useNow(): number {
  const [, draw] = useState(0);
  useEffect(() => {
    const tick = (): void => draw((count) => count + 1);
    ticking.add(tick);
    timer ??= setInterval(() => {
      for (const each of ticking) each();
    }, 1000);
    return () => {
      ticking.delete(tick);
      if (ticking.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return Date.now() + behindMs;
}

/** `now`, `41s`, `12m`, `2h 5m`, `3d`. */
export function ageOf(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return "now";
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d`;
}

/** `now`, `41s ago`. */
export function agoOf(ms: number): string {
  const age = ageOf(ms);
  return age === "now" ? age : `${age} ago`;
}

/** What is left, to the second: `41s`, `9m 05s`, `2h 05m`. */
export function leftOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (count: number): string => String(count).padStart(2, "0");
  if (hours > 0) return `${hours}h ${two(minutes)}m`;
  return minutes > 0 ? `${minutes}m ${two(seconds % 60)}s` : `${seconds}s`;
}

/** Kept, since making one takes longer than all the texts of a screen. */
const dayAndTimeFormat = new Intl.DateTimeFormat([], {
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});

/** Such as "Nov 23, 10:42:07" where the browser counts to 24. */
export function dayAndTime(ms: number): string {
  return dayAndTimeFormat.format(ms);
}

const clockFormat = new Intl.DateTimeFormat([], { hour: "numeric", minute: "2-digit" });

export function clockTime(ms: number): string {
  return clockFormat.format(ms);
}

const hourFormat = new Intl.DateTimeFormat([], { hour: "numeric" });

/** An hour of the day, such as "18" or "6 PM". */
export function hourOf(hour: number): string {
  return hourFormat.format(new Date(2026, 0, 1, hour));
}

const dayFormat = new Intl.DateTimeFormat([], { month: "short", day: "numeric" });

/** The time of today, and else the day, too. */
export function whenOf(ms: number): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString();
  return isToday ? clockTime(ms) : `${dayFormat.format(ms)}, ${clockTime(ms)}`;
}

const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The server writes the times within its sentences as ISO 8601; they are shown as all others. */
export function withTimes(text: string): string {
  return text.replace(isoTime, (time) => whenOf(Date.parse(time)));
}
