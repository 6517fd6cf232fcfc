// Notices that hookbell was upgraded or removed while a dispatcher runs, which would otherwise go on with the old code.
import type { Clock } from "../../system/clock.ts";
import type { Service } from "../attend.ts";

export interface Upgrade extends Service {
  /** Aborted when this process has to end. */
  signal: AbortSignal;
}

const lookEveryMs = 5000;
/** npm removes the old files a moment before it writes the new ones. */
const goneForMs = 60_000;

/**
 * The signal is aborted when the program is another one, and the same one at two looks, so that its files are complete; or when
 * there has been none for a minute. `identity` is undefined while there is none.
 */
export function watchUpgrade(clock: Clock, identity: () => string | undefined): Upgrade {
  const upgraded = new AbortController();
  let own: string | undefined;
  let last: string | undefined;
  let lastSeenAt = -Infinity;
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
  return {
    name: "upgrade",
    signal: upgraded.signal,
    async start() {
      own = identity();
      last = own;
      lastSeenAt = clock.now();
      if (own !== undefined) lookLater();
    },
    // It has a timer of its own: a dispatcher that waits for the lease ends, too.
    poll: () => ({ nextAt: Infinity }),
    stop: async () => cancel(),
  };
}
