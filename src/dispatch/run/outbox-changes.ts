// What other processes (`hookbell retry`, `hookbell send`) change in outbox/.
import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";
import { watchFolder } from "../../system/files/watch.ts";

/** The system drops some of very many changes. */
const lookAgainMs = 60_000;

export interface OutboxChanges {
  /** `all`: list the folder, which costs little if `isQuiet`. */
  take(isQuiet: boolean): "all" | string[];
  /** Next time, list the folder. */
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
