// Durations and times as people write them.
const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `1h30m`, `500ms`, `2d` in milliseconds. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(?<!\d)(\d+)(ms|s|m|h|d)/g)) {
    total += Number(amount) * unitMs[unit as keyof typeof unitMs];
  }
  return Number.isSafeInteger(total) ? total : undefined;
}

/** `450ms`, `42s`, `3m 5s`, `2h 10m`, `3d 4h`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0.5) return "0s";
  if (durationMs < 1000) return `${Math.round(durationMs)}ms`;
  const seconds = Math.round(durationMs / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "m"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(" ");
}

/** `2026-11-22 09:04:40`, local time. Loading the locales would take longer than the rest of `log`. */
export function formatLocalTime(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":")}`;
}

/** `09:04`, local time. */
export function formatLocalMinute(ms: number): string {
  return formatLocalTime(ms).slice(11, 16);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
