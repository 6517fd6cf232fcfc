/** Digits of the processor's clock in base 36: enough for centuries of uptime in nanoseconds. */
const clockDigits = 13;

/**
 * A file name that no other process makes, and that sorts by time even within a millisecond: 13 digits of
 * milliseconds, the processor's clock, the pid. Without node:crypto, which costs the hook four milliseconds to load.
 */
export function uniqueName(nowMs: number): string {
  const time = String(Math.max(0, Math.trunc(nowMs))).padStart(13, "0");
  return `${time}-${process.hrtime.bigint().toString(36).padStart(clockDigits, "0")}-${process.pid}`;
}
