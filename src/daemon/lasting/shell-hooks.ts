// Ends a shell hook's `cat` when its standard input stays open: a shell reads without a deadline.
import { join } from "node:path";
import { describeWriteError } from "../../model/errors.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { isShellPayload, listShellPayloads, shellOf, takeUpShellPayload } from "../../outbox/incoming.ts";
import { endWriters } from "../../system/process/end-writers.ts";
import type { Environment } from "../../system/environment.ts";
import { watchFolder } from "../../system/files/watch.ts";
import type { Service } from "../attend.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { createWakeSignal, untilAborted } from "../../system/clock.ts";

/** The agents' own timeout is a little longer. */
const shellHookDeadlineMs = 6000;
const lookEveryMs = 1000;

export interface ShellHooksWatch extends Service {
  /** Resolves early if it is stopped. */
  untilNone(stop: AbortSignal): Promise<void>;
}

export function watchShellHooks({ layout, tools }: Dispatcher, env: Environment): ShellHooksWatch {
  const { clock } = tools;
  const seenAt = new Map<string, number>();
  const news = createWakeSignal(clock);
  const pause = createWakeSignal(clock);
  let waiting: (() => void)[] = [];
  const end = new AbortController();

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
      // On a busy machine, the shell takes a while to go on after its cat has ended, and moves the file itself.
      const shell = shellOf(name);
      const count = await endWriters(join(layout.incoming, name), { signal, shell, env });
      if (count === 0 || (count === undefined && openMs > 2 * shellHookDeadlineMs)) takeUpShellPayload(layout, name);
    }
    if (asides.length > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const keepLooking = async (): Promise<void> => {
    while (!end.signal.aborted) {
      try {
        await look();
      } catch (error) {
        const detail = describeWriteError(error);
        writeJournal(layout, clock.now(), { kind: "dispatcher", what: "cannot watch the shell hooks", detail });
      }
      if (seenAt.size === 0) await news.wait(Infinity);
      // Looking for each payload that comes would list thousands, and be most of the work.
      else await pause.wait(lookEveryMs);
    }
  };
  let unwatch = (): void => {};

  return {
    name: "shell hooks",
    async start() {
      unwatch = watchFolder(layout.incoming, (name) => {
        if (name === undefined || isShellPayload(name)) news.wake();
      });
      void keepLooking();
    },
    // It looks on its own, also while this process has no lease.
    poll: () => ({ nextAt: Infinity }),
    async untilNone(stop) {
      if (stop.aborted || listShellPayloads(layout).length === 0) return;
      await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), untilAborted(stop)]);
    },
    async stop() {
      end.abort();
      unwatch();
      news.wake();
      pause.wake();
    },
  };
}
