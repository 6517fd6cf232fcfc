// Notices that hookbell was upgraded or removed while a dispatcher runs, which would otherwise go on with the old code.
import type { Clock } from "../../system/clock.ts";

export interface Upgrade {
  signal: AbortSignal;
  stop(): void;
}

const lookEveryMs = 5000;
/** npm removes the old files a moment before it writes the new ones. */
const goneForMs = 60_000;

/**
 * The signal is aborted when the program is another one, and the same one at two looks, so that its files are complete; or when
 * there has been none for a minute. `identity` is undefined while there is none.
 */
export function untilUpgraded(clock: Clock, identity: () => string | undefined): Upgrade {
  const own = identity();
  const upgraded = new AbortController();
  let last = own;
  let lastSeenAt = clock.now();
  let cancel = (): void => {};
  const lookLater = (): void => {
    cancel = clock.after(lookEveryMs, () => {
      const found = identity();
      if (found !== undefined) lastSeenAt = clock.now();
      const isOver = found === undefined ? clock.now() - lastSeenAt >= goneForMs : found !== own && found === last;
      last = found;
      if (isOver) upgraded.abort();
      else lookLater();
    });
  };
  if (own !== undefined) lookLater();
  return { signal: upgraded.signal, stop: () => cancel() };
}
