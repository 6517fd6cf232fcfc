// Ends a shell hook's `cat` when its standard input stays open: a shell reads without a deadline.
import { join } from "node:path";
import { describeWriteError } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { isShellPayload, listShellPayloads, takeUpShellPayload } from "../../outbox/incoming.ts";
import { endWriters } from "../../system/process/end-writers.ts";
import type { Environment } from "../../system/environment.ts";
import { watchFolder } from "../../system/files/watch.ts";
import type { Dispatcher } from "../dispatcher.ts";

/** The agents' own timeout is a little longer. */
const shellHookDeadlineMs = 6000;
const lookEveryMs = 1000;

export interface ShellHooksWatch {
  /** Or when told to stop. */
  untilNone(stop: AbortSignal): Promise<void>;
  stop(): void;
}

export function watchShellHooks({ layout, tools }: Dispatcher, env: Environment): ShellHooksWatch {
  const { clock } = tools;
  const seenAt = new Map<string, number>();
  let waiting: (() => void)[] = [];
  let isStopped = false;
  let cancel = (): void => {};

  const look = async (): Promise<void> => {
    const asides = listShellPayloads(layout);
    for (const name of seenAt.keys()) if (!asides.includes(name)) seenAt.delete(name);
    for (const name of asides) {
      const since = seenAt.get(name) ?? clock.now();
      seenAt.set(name, since);
      const openMs = clock.now() - since;
      if (openMs < shellHookDeadlineMs) continue;
      // Shells say nothing of a child that SIGPIPE ended.
      const signal = openMs < 2 * shellHookDeadlineMs ? "SIGPIPE" : "SIGKILL";
      const count = await endWriters(join(layout.incoming, name), signal, env);
      if (count === 0 || (count === undefined && openMs > 2 * shellHookDeadlineMs)) takeUpShellPayload(layout, name);
    }
    if (asides.length > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  let isLooking = false;
  let hasRung = false;
  /** Goes on while a hook is reading. */
  const lookAndAgain = (): void => {
    hasRung = true;
    if (isLooking || isStopped) return;
    isLooking = true;
    hasRung = false;
    look()
      .catch((error: unknown) => {
        const detail = describeWriteError(error);
        writeJournal(layout, clock.now(), { kind: "dispatcher", what: "cannot look after hooks", detail });
      })
      .finally(() => {
        if (isStopped) return;
        if (seenAt.size === 0) {
          isLooking = false;
          // One may have begun meanwhile.
          if (hasRung) lookAndAgain();
          return;
        }
        cancel = clock.after(lookEveryMs, () => {
          isLooking = false;
          lookAndAgain();
        });
      });
  };
  const unwatch = watchFolder(layout.incoming, (name) => {
    // Do not list thousands of payloads for each that comes.
    if (name === undefined || isShellPayload(name)) lookAndAgain();
  });
  lookAndAgain();

  return {
    async untilNone(stop) {
      if (stop.aborted || listShellPayloads(layout).length === 0) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        stop.addEventListener("abort", () => resolve());
      });
    },
    stop() {
      isStopped = true;
      unwatch();
      cancel();
    },
  };
}
