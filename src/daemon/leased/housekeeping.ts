// Keeps the state folder within its bounds, and tells the person what hookbell itself has found.
import type { CurrentRules } from "../../pipeline/current-rules.ts";
import type { Outdated } from "../../policies/answered.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { notifyBrokenRules, notifyEndedStuck, notifyOpenState, withdrawBrokenRules } from "../../pipeline/notices.ts";
import type { DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { EndedStuck } from "../../outbox/stuck/left-out.ts";
import type { Service } from "../attend.ts";
import { sweep } from "./sweep.ts";

const sweepEveryMs = 10 * 60_000;

/**
 * `ended`: dispatchers that hung and that this process has ended, until the person is told of them. `take` gets new notices, and
 * what is no longer true of earlier ones.
 */
export function createHousekeeping(
  dispatcher: Dispatcher,
  ended: EndedStuck[],
  take: (found: { deliveries: DeliveryFile[]; outdated: Outdated[] }) => void,
): Service {
  let sweptAt = -Infinity;
  let lookedAt: CurrentRules | undefined;
  return {
    name: "housekeeping",
    poll(now) {
      const deliveries: DeliveryFile[] = [];
      const outdated: Outdated[] = [];
      if (now - sweptAt >= sweepEveryMs) {
        sweptAt = now;
        sweep(dispatcher.layout, now);
        deliveries.push(...notifyOpenState(dispatcher));
      }
      const rules = dispatcher.rules();
      deliveries.push(...notifyBrokenRules(dispatcher));
      if (rules !== lookedAt && rules.problems.length === 0) outdated.push(...withdrawBrokenRules(dispatcher));
      lookedAt = rules;
      for (const each of ended) deliveries.push(...notifyEndedStuck(dispatcher, each));
      ended.length = 0;
      if (deliveries.length > 0 || outdated.length > 0) take({ deliveries, outdated });
      // A sweep alone wakes no dispatcher.
      return { nextAt: Infinity };
    },
  };
}
