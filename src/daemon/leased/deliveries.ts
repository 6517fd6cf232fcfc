// Takes payloads in, and sends what waits in outbox/: what a dispatcher is for.
import type { Enqueued } from "../../pipeline/event/enqueue.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { keepsBusy, nextStep } from "../../pipeline/delivery/queue/next-step.ts";
import type { Scheduler } from "../../pipeline/scheduler.ts";
import { createIntake } from "./intake.ts";
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

/** The system drops some of very many changes. */
const lookAgainMs = 60_000;

/** Takes up the deliveries that other processes have added, changed or removed. */
export function createOutboxWatch({ layout, tools }: Dispatcher, scheduler: Scheduler, wake: () => void): Service {
  const names = new Set<string>();
  /** The folder has to be listed: what has changed is not known by name. */
  let isUnsure = true;
  let isChanged = true;
  let listedAt = tools.clock.now();
  let unwatch = (): void => {};
  return {
    name: "outbox",
    isVital: true,
    async start() {
      unwatch = watchFolder(layout.outbox, (name) => {
        if (name === undefined) isUnsure = true;
        else names.add(name);
        isChanged = true;
        wake();
      });
    },
    poll(now) {
      const changed = [...names];
      names.clear();
      // While nothing waits, listing the folder costs little.
      const isQuiet = scheduler.queues().every(({ waiting }) => waiting.size === 0);
      const isListed = isUnsure || (isChanged && (isQuiet || now - listedAt > lookAgainMs));
      if (isListed) {
        isUnsure = false;
        isChanged = false;
        listedAt = now;
      }
      try {
        scheduler.takeUp(isListed ? "all" : changed);
      } catch (error) {
        isUnsure = true;
        throw error;
      }
      return { nextAt: Infinity };
    },
    stop: async () => unwatch(),
  };
}

/** Sends what is due. With `isLeavingRetries`, retries keep no dispatcher running. */
export function createDeliveries({ tools }: Dispatcher, scheduler: Scheduler, isLeavingRetries: boolean): Service {
  return {
    name: "deliveries",
    isVital: true,
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
