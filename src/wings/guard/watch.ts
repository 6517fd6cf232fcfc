// Looks for programs that agents did not start before, while this process is the dispatcher, and tells of each once.
import type { Service } from "../../daemon/attend.ts";
import type { LeasedPart, LeasedParts } from "../../daemon/wing.ts";
import { journalBug } from "../../outbox/journal.ts";
import { unlessStorageTrouble } from "../../outbox/layout.ts";
import { tryToStat } from "../../system/files/files.ts";
import { FolderWatches } from "../../system/files/watch.ts";
import { baselinePath, watchedPath } from "./baseline-file.ts";
import type { HookWatch } from "./hook-watch.ts";

/** A change is told within two seconds. A look that finds none takes about a millisecond. */
const lookMs = 1500;
/** Where the system tells of changes: for what it cannot tell of, such as a file on another machine. */
const untoldMs = 60_000;
/** The payload of a session's start goes first; and a program that changes a file often changes it twice. */
const soonMs = 300;

export function watchHooks({
  dispatcher,
  wake,
  withdraw,
}: Pick<LeasedParts, "dispatcher" | "wake" | "withdraw">): LeasedPart {
  const { layout, tools } = dispatcher;
  const paths = [baselinePath(layout), watchedPath(layout)];
  let cancel: (() => void) | undefined;
  let watch: HookWatch | undefined;
  let lookAt = Infinity;
  let lookedAt = -Infinity;
  let isOver = false;
  let isAgentOpen = false;
  // A folder that is watched cannot be removed on Windows, and on macOS all that is below it is told.
  const folders = tools.platform === "linux" ? new FolderWatches(() => lookIn(soonMs)) : undefined;
  /** When to look next, in milliseconds from now. */
  const look = async (now: number): Promise<number> => {
    // Before the first `hookbell init` there is nothing to compare with, and nothing is loaded.
    if (watch === undefined && !paths.some((path) => tryToStat(path) !== undefined)) return lookMs;
    watch ??= new (await import("./hook-watch.ts")).HookWatch(dispatcher);
    if (isOver) return Infinity;
    // While the disk takes nothing, the next look finds the same.
    const looked = unlessStorageTrouble(() => watch?.look(now));
    if (looked !== undefined && looked.outdated.length > 0) withdraw(looked.outdated);
    const wasOpen = isAgentOpen;
    isAgentOpen = looked?.isAgentOpen ?? wasOpen;
    if (looked?.hasNews === true || isAgentOpen !== wasOpen) wake();
    const changes = looked && folders && watch.changes();
    return changes !== undefined && folders?.set(changes) === true ? untoldMs : lookMs;
  };
  const lookNow = async (): Promise<void> => {
    const now = tools.clock.now();
    lookAt = Infinity;
    lookedAt = now;
    try {
      lookIn(await look(now));
    } catch (error) {
      journalBug(layout, now, error);
      lookIn(lookMs);
    }
  };
  const lookIn = (ms: number): void => {
    const now = tools.clock.now();
    const at = Math.max(now + ms, lookedAt + lookMs);
    if (isOver || at >= lookAt) return;
    lookAt = at;
    cancel?.();
    cancel = tools.clock.after(at - now, () => void lookNow());
  };
  const service: Service = {
    name: "hooks of agents",
    async start() {
      lookIn(soonMs);
      return await Promise.resolve();
    },
    poll: () => ({ nextAt: Infinity }),
    // Its session may begin with a hook of a repository's, before any hook of hookbell's runs.
    busy: () => (isAgentOpen ? "stay" : undefined),
    async stop() {
      isOver = true;
      cancel?.();
      folders?.close();
      return await Promise.resolve();
    },
  };
  return { service };
}
