// What one source says about the person. Absent fields are unknown to it.

export interface Observed {
  /** Milliseconds since the last key press, click or touch. */
  idleMs?: number | undefined;
  isLocked?: boolean | undefined;
  /** The process that has the focus, and its window where the source counts them as the terminal's environment does. */
  focus?: { pid: number; windowId?: number } | undefined;
}

/** The shortest idle time and any lock count; the first focus does. */
export function merge(all: readonly Observed[]): Observed {
  const idle = all.flatMap(({ idleMs }) => (idleMs === undefined ? [] : [Math.max(0, idleMs)]));
  const locks = all.flatMap(({ isLocked }) => (isLocked === undefined ? [] : [isLocked]));
  return {
    idleMs: idle.length === 0 ? undefined : Math.min(...idle),
    isLocked: locks.length === 0 ? undefined : locks.includes(true),
    focus: all.find(({ focus }) => focus !== undefined)?.focus,
  };
}
