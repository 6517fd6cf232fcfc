// Keeps the file by which Claude Code knows that the user is at the computer, and then sends no push to their phone.
import { isAtComputer } from "../../policies/presence.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { journalBug } from "../../outbox/journal.ts";
import { findLeaseHolder } from "../../outbox/lease/lease.ts";
import { expandHome } from "../../system/paths.ts";
import { putPresenceFile, removePresenceFile } from "../../system/presence/presence-file.ts";
import { ownPid } from "../../system/process/identity.ts";
import type { Service } from "../attend.ts";

/** A background dispatcher that keeps the file waits so long for the next event. */
export const presenceIdleMs = 10 * 60_000;
const firstLookMs = 200;
const lookEveryMs = 10_000;

/** Only the dispatcher that holds the lease keeps the file. */
export function createPresenceFile(dispatcher: Dispatcher): Service {
  const { layout, tools } = dispatcher;
  const { clock, platform, home } = tools;
  let isStopped = false;
  let kept: string | undefined;
  let cancel = (): void => {};
  const drop = (): void => {
    if (kept !== undefined) quietly(kept, (path) => removePresenceFile(path, ownPid));
    kept = undefined;
  };
  const look = async (): Promise<void> => {
    const { presenceFile } = dispatcher.rules().rules;
    const path = presenceFile === undefined ? undefined : expandHome(presenceFile, home);
    if (path !== kept) drop();
    if (path !== undefined && findLeaseHolder(layout, clock.now())?.pid === ownPid) {
      const presence = await dispatcher.observePresence?.(undefined, dispatcher.tools.env);
      if (isStopped) return;
      const isThere = presence !== undefined && isAtComputer(presence);
      quietly(path, (file) => (isThere ? putPresenceFile(file, platform) : removePresenceFile(file)));
      kept = path;
    }
  };
  const lookIn = (ms: number): void => {
    cancel = clock.after(ms, () => {
      void look()
        .catch((error: unknown) => journalBug(layout, clock.now(), error))
        .finally(() => {
          if (!isStopped) lookIn(lookEveryMs);
        });
    });
  };
  return {
    name: "presence file",
    start: async () => lookIn(firstLookMs),
    // A look takes a while, and no delivery waits for it.
    poll: () => ({ nextAt: Infinity }),
    async stop() {
      isStopped = true;
      cancel();
      drop();
    },
  };
}

/** Without the file, Claude Code sends its push: one too many rather than one too few. */
function quietly(path: string, change: (path: string) => void): void {
  try {
    change(path);
  } catch {}
}
