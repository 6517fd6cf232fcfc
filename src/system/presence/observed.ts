// What one source says about the person; absent fields are unknown.

export interface PresenceSignals {
  /** Milliseconds since the last input. */
  idleMs?: number | undefined;
  isLocked?: boolean | undefined;
  /** The window is counted as in `WINDOWID`. */
  focus?: { pid: number; windowId?: number } | undefined;
}

/** How long a source may take; what it says later counts as unknown. */
export interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
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
