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

/** Kept, since making one takes longer than all the texts of a screen. */
const dayAndTimeFormat = new Intl.DateTimeFormat([], {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Such as "Nov 23, 10:42:07". */
export function dayAndTime(ms: number): string {
  return dayAndTimeFormat.format(ms);
}

export function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
