// Sends deliveries in the foreground while the user waits.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { type ChannelState, readChannelState, whyNotYet } from "../../pipeline/channel/endpoint-policy.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Failed, Outcome } from "../../model/outcome.ts";
import { sendNow } from "../../pipeline/send-now.ts";
import { writeDelivery, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import { sleep } from "../../system/clock.ts";
import { claimUntil } from "../../pipeline/channel/waiting-delivery.ts";

/** How long to wait for a receiver's rate limit before the dispatcher takes over. */
const maxPatienceMs = 3000;

export interface DeliveredNow {
  delivery: Delivery;
  outcome: Outcome;
  ms: number;
  /** `retry`: it stays in the outbox for the dispatcher. */
  next: "done" | "retry" | "dead";
}

/** Puts deliveries into the outbox, claimed so that a dispatcher ignores them. */
export function claim({ layout, tools, rules }: Dispatcher, planned: readonly DeliveryFile[]): void {
  for (const { file, delivery } of planned) {
    const channel = findChannel(rules().rules, delivery.channel);
    writeDelivery(layout, "outbox", file, { ...delivery, claimedUntil: claimUntil(channel, tools.clock.now()) });
  }
}

/** Sends claimed deliveries in parallel; calls back as each one ends. */
export async function deliverNow(
  dispatcher: Dispatcher,
  planned: readonly DeliveryFile[],
  onEnd: (result: DeliveredNow) => void,
  madeFallbacks = new Set<string>(),
): Promise<DeliveredNow[]> {
  const { layout, tools } = dispatcher;
  const startedAt = tools.clock.now();
  const foreground = { ...dispatcher, isForeground: true };
  const results = await Promise.all(
    planned.map(async ({ file, delivery }): Promise<DeliveredNow[]> => {
      const state = await waitForTurn(dispatcher, delivery.channel);
      if ("status" in state) {
        writeDelivery(layout, "outbox", file, delivery);
        const left = { delivery, outcome: state, ms: tools.clock.now() - startedAt, next: "retry" as const };
        onEnd(left);
        return [left];
      }
      const sent = await sendNow(foreground, { file, delivery }, state, madeFallbacks);
      if (sent === undefined) return [];
      const { outcome, next, added } = sent;
      const result = { delivery, outcome, ms: tools.clock.now() - startedAt, next };
      onEnd(result);
      // Fallbacks are sent here too; the dispatcher sends notices about channels.
      const fallbacks = added.filter((each) => each.delivery.event.id === delivery.event.id);
      return [result, ...(await deliverNow(dispatcher, fallbacks, onEnd, madeFallbacks))];
    }),
  );
  return results.flat();
}

/** Waits for the receiver's rate limit, or says why nothing can be sent now. */
async function waitForTurn(dispatcher: Dispatcher, name: string): Promise<ChannelState | Failed> {
  const { clock } = dispatcher.tools;
  const deadline = clock.now() + maxPatienceMs;
  for (;;) {
    const now = clock.now();
    const state = readChannelState(dispatcher, name);
    const notYet = whyNotYet(state.endpoint, state.channel?.channelType.rate, now);
    if (notYet === undefined) return state;
    const { retryAfterMs = 0 } = notYet;
    if (now + retryAfterMs > deadline) return notYet;
    await sleep(clock, retryAfterMs);
  }
}
