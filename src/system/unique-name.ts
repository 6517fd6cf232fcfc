// File names that are unique across processes and sort by time.
/** In base 36. */
const clockDigits = 13;

/** Avoids node:crypto, which takes 4 ms to load. */
export function uniqueName(nowMs: number): string {
  const time = String(Math.max(0, Math.trunc(nowMs))).padStart(13, "0");
  return `${time}-${process.hrtime.bigint().toString(36).padStart(clockDigits, "0")}-${process.pid}`;
}
