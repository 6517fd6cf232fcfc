/**
 * A file name that sorts by time and that no other process makes: 13 digits of milliseconds, the pid, and the
 * processor's clock. Without node:crypto, which costs the hook four milliseconds to load.
 */
export function uniqueName(nowMs: number): string {
  const time = String(Math.max(0, Math.trunc(nowMs))).padStart(13, "0");
  return `${time}-${process.pid}-${process.hrtime.bigint().toString(36)}`;
}
