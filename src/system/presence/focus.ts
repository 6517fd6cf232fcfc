// Whether the window with the focus is the one that shows a terminal.
import type { PresenceSignals } from "./observed.ts";

interface Process {
  parentPid: number;
  device: string | undefined;
}

/** Undefined for one of several tabs of one process. `windowIdOf`: a process's `WINDOWID`. */
export function isInFocus(
  pid: number,
  focus: NonNullable<PresenceSignals["focus"]>,
  processes: ReadonlyMap<number, Process>,
  windowIdOf: (pid: number) => number | undefined,
): boolean | undefined {
  const tabs = tabsOf(focus.pid, processes);
  const ancestors = ancestorsOf(pid, processes);
  const own = tabs.find((tab) => ancestors.has(tab));
  if (own === undefined) return false;
  if (tabs.length === 1) return true;
  const window = focus.windowId;
  const ownWindow = windowIdOf(own);
  if (window === undefined || ownWindow === undefined) return undefined;
  if (window !== ownWindow) return false;
  const inWindow = tabs.filter((tab) => (windowIdOf(tab) ?? window) === window);
  return inWindow.length === 1 ? true : undefined;
}

/** The first below it that has another terminal. */
function tabsOf(pid: number, processes: ReadonlyMap<number, Process>): number[] {
  const device = processes.get(pid)?.device;
  const childrenOf = new Map<number, number[]>();
  for (const [child, { parentPid }] of processes) {
    const siblings = childrenOf.get(parentPid);
    if (siblings === undefined) childrenOf.set(parentPid, [child]);
    else siblings.push(child);
  }
  const byDevice = new Map<string, number>();
  for (const waiting = [...(childrenOf.get(pid) ?? [])]; waiting.length > 0;) {
    const next = waiting.pop() ?? 0;
    const own = processes.get(next)?.device;
    if (own !== undefined && own !== device) byDevice.set(own, next);
    else waiting.push(...(childrenOf.get(next) ?? []));
    childrenOf.delete(next);
  }
  return [...byDevice.values()];
}

function ancestorsOf(pid: number, processes: ReadonlyMap<number, Process>): Set<number> {
  const found = new Set<number>();
  // Ids are reused while they are read: there may be circles.
  for (let next = pid; next > 1 && !found.has(next); next = processes.get(next)?.parentPid ?? 0) found.add(next);
  return found;
}
