/** Milliseconds by a clock that all processes of this machine share. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
