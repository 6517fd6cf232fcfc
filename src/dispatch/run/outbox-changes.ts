// What other processes (`hookbell retry`, `hookbell send`) change in outbox/ while the dispatcher runs.
import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";
import { watchFolder } from "../../system/files/watch.ts";

/** A system that is told of too many changes at once forgets some; they are seen this much later at most. */
const lookAgainMs = 60_000;

export interface OutboxChanges {
  /** `all`: look at the whole folder. `isQuiet`: there is little to do, so looking costs little. */
  take(isQuiet: boolean): "all" | string[];
  /** What was taken could not be looked at: the next time it is all. */
  forget(): void;
  stop(): void;
}

export function watchOutbox(layout: Layout, clock: Clock, onChange: () => void): OutboxChanges {
  const names = new Set<string>();
  let isUnsure = true;
  let isChanged = true;
  let lookedAt = clock.now();
  const stop = watchFolder(layout.outbox, (name) => {
    if (name === undefined) isUnsure = true;
    else names.add(name);
    isChanged = true;
    onChange();
  });
  return {
    take(isQuiet) {
      const now = clock.now();
      const taken = [...names];
      names.clear();
      if (!isUnsure && !(isChanged && (isQuiet || now - lookedAt > lookAgainMs))) return taken;
      isUnsure = false;
      isChanged = false;
      lookedAt = now;
      return "all";
    },
    forget: () => (isUnsure = true),
    stop,
  };
}
