// What one source says about the person; absent fields are unknown.

export interface PresenceSignals {
  /** Milliseconds since the last input. */
  idleMs?: number | undefined;
  isLocked?: boolean | undefined;
  /** The window is counted as in `WINDOWID`. */
  focus?: { pid: number; windowId?: number } | undefined;
}

export function merge(all: readonly PresenceSignals[]): PresenceSignals {
  const idle = all.flatMap(({ idleMs }) => (idleMs === undefined ? [] : [Math.max(0, idleMs)]));
  const locks = all.flatMap(({ isLocked }) => (isLocked === undefined ? [] : [isLocked]));
  return {
    idleMs: idle.length === 0 ? undefined : Math.min(...idle),
    isLocked: locks.length === 0 ? undefined : locks.includes(true),
    focus: all.find(({ focus }) => focus !== undefined)?.focus,
  };
}
