import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { whyNotYet, withRequest } from "../../dispatch/policy/endpoint-policy.ts";
import { claimUntil } from "../../dispatch/policy/retry-timing.ts";
import { sendFile } from "../../dispatch/send/send-delivery.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Failed, Outcome } from "../../model/outcome.ts";
import { writeDelivery } from "../../outbox/deliveries.ts";
import { readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";

/** So long a person waits for a receiver's rate; what takes longer is the dispatcher's. */
const maxPatienceMs = 3000;

export interface Planned {
  file: string;
  delivery: Delivery;
}

export interface DeliveredNow {
  delivery: Delivery;
  outcome: Outcome;
  ms: number;
  /** `retry`: it lies in the outbox, for the dispatcher. */
  next: "done" | "retry" | "dead";
}

/** Puts deliveries into the outbox where a dispatcher leaves them alone for as long as we may take to send them. */
export function claim({ layout, tools, rules }: Dispatcher, planned: readonly Planned[]): void {
  for (const { file, delivery } of planned) {
    const channel = findChannel(rules().rules, delivery.channel);
    writeDelivery(layout, "outbox", file, { ...delivery, claimedUntil: claimUntil(channel, tools.clock.now()) });
  }
}

/** Sends claimed deliveries in the foreground, side by side; calls back as each one ends. */
export async function deliverNow(
  dispatcher: Dispatcher,
  planned: readonly Planned[],
  onEnd: (result: DeliveredNow) => void,
): Promise<DeliveredNow[]> {
  const { layout, tools } = dispatcher;
  const startedAt = tools.clock.now();
  const foreground = { ...dispatcher, isForeground: true };
  const results = await Promise.all(
    planned.map(async ({ file, delivery }): Promise<DeliveredNow[]> => {
      const notYet = await mayAsk(dispatcher, delivery.channel);
      if (notYet !== undefined) {
        writeDelivery(layout, "outbox", file, delivery);
        const left = { delivery, outcome: notYet, ms: tools.clock.now() - startedAt, next: "retry" as const };
        onEnd(left);
        return [left];
      }
      const sent = await sendFile(foreground, file);
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

/** Takes its turn at the receiver, as the dispatcher would, or says why there is none for now. */
async function mayAsk({ layout, tools, rules }: Dispatcher, name: string): Promise<Failed | undefined> {
  const { clock } = tools;
  const rate = findChannel(rules().rules, name)?.channelType.rate;
  const deadline = clock.now() + maxPatienceMs;
  for (;;) {
    const now = clock.now();
    const endpoint = readEndpoint(layout, name);
    const notYet = whyNotYet(endpoint, rate, now);
    if (notYet === undefined) {
      if (rate !== undefined) writeEndpoint(layout, withRequest(endpoint, rate, now));
      return undefined;
    }
    const { retryAfterMs = 0 } = notYet;
    if (now + retryAfterMs > deadline) return notYet;
    await new Promise<void>((resolve) => clock.after(retryAfterMs, resolve));
  }
}
