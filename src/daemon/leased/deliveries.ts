// Takes payloads in, and sends what waits in outbox/: what a dispatcher is for.
import type { Enqueued } from "../../pipeline/event/enqueue.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { keepsBusy, nextStep } from "../../pipeline/delivery/queue/next-step.ts";
import type { Scheduler } from "../../pipeline/scheduler.ts";
import { createIntake } from "./intake.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";
import { watchFolder } from "../../system/files/watch.ts";
import type { Service } from "../attend.ts";

/** Takes in one payload at each poll. */
export function createPayloads(
  dispatcher: Dispatcher,
  hasLease: () => boolean,
  scheduler: Scheduler,
  onTaken: (taken: Enqueued) => void,
  wake: () => void,
): Service {
  const { incoming } = dispatcher.layout;
  const { expect: onPlaced, forget: onFailed } = scheduler;
  const intake = createIntake(dispatcher, hasLease, { onPlaced, onFailed, onTaken, wake });
  let unwatch = (): void => {};
  return {
    name: "intake",
    isVital: true,
    async start() {
      unwatch = watchFolder(incoming, wake);
    },
    async poll(now) {
      await intake.takeNext();
      return { nextAt: intake.canTakeNext() ? now : Infinity, hasBacklog: intake.hasBacklog() };
    },
    busy: () => (intake.isSyncing() ? "work" : undefined),
    async stop() {
      unwatch();
      await intake.finish();
    },
  };
}

/** Takes up the deliveries that other processes have added, changed or removed. */
export function createOutboxWatch({ layout, tools }: Dispatcher, scheduler: Scheduler, wake: () => void): Service {
  let changes: OutboxChanges | undefined;
  return {
    name: "outbox",
    isVital: true,
    async start() {
      changes = watchOutbox(layout, tools.clock, wake);
    },
    poll() {
      const isQuiet = scheduler.queues().every(({ waiting }) => waiting.size === 0);
      try {
        scheduler.takeUp(changes?.take(isQuiet) ?? "all");
      } catch (error) {
        changes?.forget();
        throw error;
      }
      return { nextAt: Infinity };
    },
    busy: () => undefined,
    stop: async () => changes?.stop(),
  };
}

/** Sends what is due. With `isLeavingRetries`, retries keep no dispatcher running. */
export function createDeliveries({ tools }: Dispatcher, scheduler: Scheduler, isLeavingRetries: boolean): Service {
  return {
    name: "deliveries",
    isVital: true,
    start: async () => {},
    poll(now) {
      const { due, nextAt } = nextStep(scheduler.queues(), now);
      for (const { queue, file } of due) scheduler.start(queue, file);
      return { nextAt };
    },
    busy: () =>
      scheduler.isWorking() || keepsBusy(scheduler.queues(), tools.clock.now(), isLeavingRetries) ? "work" : undefined,
    stop: async () => await scheduler.finish(),
  };
}

/** The system drops some of very many changes. */
const lookAgainMs = 60_000;

interface OutboxChanges {
  /** `all`: list the folder, which costs little if `isQuiet`. */
  take(isQuiet: boolean): "all" | string[];
  /** Makes the next call list the folder. */
  forget(): void;
  stop(): void;
}

function watchOutbox(layout: Layout, clock: Clock, onChange: () => void): OutboxChanges {
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
