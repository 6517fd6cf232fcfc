// Queues the digests that the rules file asks for, each at its time.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { unlessStorageTrouble } from "../../outbox/layout.ts";
import type { Service } from "../attend.ts";

/** The dispatcher notices changed rules within this time. */
const maxDigestWaitMs = 10 * 60_000;

/** A digest that is due is queued when it has started. */
export function createDigests({ layout, rules, tools: { clock } }: Dispatcher): Service {
  let nextAt = -Infinity;
  const queue = async (now: number): Promise<void> => {
    nextAt = now + maxDigestWaitMs;
    const { digest } = rules().rules;
    if (digest === undefined) return;
    const { queueDueDigest } = await import("./due-digest.ts");
    // If the disk fails now, the next check tries again.
    nextAt = Math.min(unlessStorageTrouble(() => queueDueDigest(layout, digest, now)) ?? nextAt, nextAt);
  };
  return {
    name: "digests",
    start: async () => await queue(clock.now()),
    async poll(now) {
      if (now >= nextAt) await queue(now);
      return { nextAt };
    },
  };
}
