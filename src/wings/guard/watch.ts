// Looks for programs that agents did not start before, while this process is the dispatcher, and tells of each once.
import type { Service } from "../../daemon/attend.ts";
import type { LeasedPart, LeasedParts } from "../../daemon/wing.ts";
import { journalBug } from "../../outbox/journal.ts";
import { unlessStorageTrouble } from "../../outbox/layout.ts";
import { tryToStat } from "../../system/files/files.ts";
import { baselinePath, watchedPath } from "./baseline-file.ts";
import type { HookWatch } from "./hook-watch.ts";

/** A change is told within two seconds; a look that finds none takes about a millisecond. */
const lookMs = 1500;
/** The payload of a session's start goes first. */
const firstLookMs = 300;

export function watchHooks({ dispatcher, wake, withdraw }: LeasedParts): LeasedPart {
  const { layout, tools } = dispatcher;
  const paths = [baselinePath(layout), watchedPath(layout)];
  let cancel: (() => void) | undefined;
  let watch: HookWatch | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    // Before the first `hookbell init` there is nothing to compare with, and nothing is loaded.
    if (watch === undefined && !paths.some((path) => tryToStat(path) !== undefined)) return;
    watch ??= new (await import("./hook-watch.ts")).HookWatch(dispatcher);
    if (isOver) return;
    // While the disk takes nothing, the next look finds the same.
    const looked = unlessStorageTrouble(() => watch?.look(tools.clock.now()));
    if (looked !== undefined && looked.outdated.length > 0) withdraw(looked.outdated);
    if (looked?.hasNews === true) wake();
  };
  const lookAfter = (ms: number): void => {
    cancel = tools.clock.after(ms, () => {
      void look()
        .catch((error: unknown) => journalBug(layout, tools.clock.now(), error))
        .finally(() => {
          if (!isOver) lookAfter(lookMs);
        });
    });
  };
  const service: Service = {
    name: "hooks of agents",
    async start() {
      lookAfter(firstLookMs);
      return await Promise.resolve();
    },
    poll: () => ({ nextAt: Infinity }),
    async stop() {
      isOver = true;
      cancel?.();
      return await Promise.resolve();
    },
  };
  return { service };
}
