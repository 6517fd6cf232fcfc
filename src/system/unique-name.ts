// File names that are unique across processes and sort by time.
/** In base 36: enough for centuries of uptime in nanoseconds. */
const clockDigits = 13;

/** Milliseconds, the processor's clock and the pid. Avoids node:crypto, which takes the hook four milliseconds to load. */
export function uniqueName(nowMs: number): string {
  const time = String(Math.max(0, Math.trunc(nowMs))).padStart(13, "0");
  return `${time}-${process.hrtime.bigint().toString(36).padStart(clockDigits, "0")}-${process.pid}`;
}
