import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";
import { watchFolder } from "../../system/files/watch.ts";

/** A system that is told of too many changes at once forgets some; so much later at most they are seen. */
const lookAgainMs = 60_000;

/** What others (`hookbell retry`, `hookbell send`) may have put into outbox/. */
export interface OutboxNews {
  /** `all`: look at the whole folder. `isQuiet`: there is little to do, so looking costs little. */
  take(isQuiet: boolean): "all" | string[];
  /** What was taken could not be looked at: the next time it is all. */
  forget(): void;
  stop(): void;
}

export function createOutboxNews(layout: Layout, clock: Clock, ring: () => void): OutboxNews {
  const names = new Set<string>();
  let isUnsure = true;
  let isChanged = true;
  let lookedAt = clock.now();
  const stop = watchFolder(layout.outbox, (name) => {
    if (name === undefined) isUnsure = true;
    else names.add(name);
    isChanged = true;
    ring();
  });
  return {
    take(isQuiet) {
      const now = clock.now();
      if (isUnsure || (isChanged && (isQuiet || Math.abs(now - lookedAt) > lookAgainMs))) {
        isUnsure = false;
        isChanged = false;
        lookedAt = now;
        names.clear();
        return "all";
      }
      const taken = [...names];
      names.clear();
      return taken;
    },
    forget: () => (isUnsure = true),
    stop,
  };
}
