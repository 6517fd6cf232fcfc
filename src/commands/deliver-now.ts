import type { Dispatcher } from "../dispatch/dispatcher.ts";
import { sendFile } from "../dispatch/sender.ts";
import { findChannel } from "../dispatch/tell.ts";
import type { Delivery } from "../model/delivery.ts";
import type { Outcome } from "../model/outcome.ts";
import { writeDelivery } from "../outbox/deliveries.ts";

/**
 * While we send it ourselves, a dispatcher in the background leaves a delivery alone; should we die, it takes it up.
 * Beyond the channel's own deadline: the time that its secrets and a slow machine may take.
 */
const foregroundSlackMs = 15_000;

/** For a delivery whose channel we do not know yet. */
const longestClaimMs = 60_000;

export interface DeliveredNow {
  delivery: Delivery;
  outcome: Outcome;
  ms: number;
  next: "done" | "retry" | "dead";
}

/** Sends deliveries in the foreground, through the outbox, side by side; calls back as each one ends. */
export async function deliverNow(
  dispatcher: Dispatcher,
  planned: readonly { file: string; delivery: Delivery }[],
  onEnd: (result: DeliveredNow) => void,
): Promise<DeliveredNow[]> {
  const { layout, tools } = dispatcher;
  const startedAt = tools.clock.now();
  const { rules } = dispatcher.rules();
  for (const { file, delivery } of planned) {
    const timeoutMs = findChannel(rules, delivery.channel)?.channelType.timeoutMs ?? 0;
    writeDelivery(layout, "outbox", file, { ...delivery, notBefore: startedAt + timeoutMs + foregroundSlackMs });
  }
  const results = await Promise.all(
    planned.map(async ({ file, delivery }): Promise<DeliveredNow[]> => {
      const sent = await sendFile({ ...dispatcher, claimMs: longestClaimMs }, file);
      if (sent.outcome === undefined) return [];
      const result = { delivery, outcome: sent.outcome, ms: tools.clock.now() - startedAt, next: sent.settled.next };
      onEnd(result);
      // A fallback is ours to send as well; a notice about a channel is the dispatcher's.
      const fallbacks = sent.settled.added.filter((added) => added.delivery.event.id === delivery.event.id);
      return [result, ...(await deliverNow(dispatcher, fallbacks, onEnd))];
    }),
  );
  return results.flat();
}
