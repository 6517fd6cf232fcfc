// Keeps the state folder within its bounds, and tells the person what hookbell itself has found.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { notifyBrokenRules, notifyEndedStuck, notifyOpenState } from "../../pipeline/notices.ts";
import type { DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { EndedStuck } from "../../outbox/stuck/left-out.ts";
import type { Service } from "../attend.ts";
import { sweep } from "./sweep.ts";

const sweepEveryMs = 10 * 60_000;

/** `ended`: dispatchers that hung and that this process has ended, until the person is told of them. */
export function createHousekeeping(
  dispatcher: Dispatcher,
  ended: EndedStuck[],
  add: (notice: DeliveryFile) => void,
): Service {
  let sweptAt = -Infinity;
  return {
    name: "housekeeping",
    poll(now) {
      if (now - sweptAt >= sweepEveryMs) {
        sweptAt = now;
        sweep(dispatcher.layout, now);
        notifyOpenState(dispatcher).forEach(add);
      }
      notifyBrokenRules(dispatcher).forEach(add);
      for (const each of ended) notifyEndedStuck(dispatcher, each).forEach(add);
      ended.length = 0;
      // A sweep alone wakes no dispatcher.
      return { nextAt: Infinity };
    },
  };
}
