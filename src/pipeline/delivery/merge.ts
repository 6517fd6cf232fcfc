// Makes one message of many: of those that were released together, and of old ones once their receiver answers.
import { type ChannelState, opensAt, readChannelState } from "../channel/endpoint-policy.ts";
import type { Ended } from "../stages.ts";
import type { Claimed, DeliveryTools, Merged } from "./context.ts";
import type { ChannelQueue } from "./queue/channel-queue.ts";
import { summarise } from "../coalescer/summary.ts";

type MergeTools = Pick<DeliveryTools, "dispatcher" | "queues" | "lease">;

/** What was released together goes back to its queue: the queue chooses what is sent next. */
export function merge({ queue, waiting, together, claimed }: Claimed, tools: MergeTools): Merged | Ended {
  const { dispatcher } = tools;
  const state = readChannelState(dispatcher, queue.channel);
  if (together !== undefined) {
    const isMerged = claimed.length > 1 && makeOne(claimed, "together", state, tools);
    return isMerged ? merged : { ended: "deferred", why: "released, and the queue chooses again" };
  }
  const old = oldIn(queue, state, dispatcher.tools.clock.now(), dispatcher.fleet() !== undefined);
  if (old.length > 0 && tools.lease.renew() && makeOne(old, "long", state, tools)) return merged;
  return { queue, waiting, state };
}

const merged: Ended = { ended: "merged", why: "another delivery stands for it" };

function makeOne(
  files: readonly string[],
  waited: "long" | "together",
  { channel }: ChannelState,
  { dispatcher, queues }: MergeTools,
): boolean {
  const summary = channel && summarise(dispatcher, channel, files, waited);
  if (summary !== undefined) queues.replace(summary.removed, summary.added);
  return summary !== undefined;
}

const oldAfterMs = 5 * 60_000;

/** The files of old messages, if there are enough to make one of them, and their receiver is known to answer. */
function oldIn({ waiting }: ChannelQueue, state: ChannelState, now: number, hasFleet: boolean): readonly string[] {
  const { channel, endpoint } = state;
  const from = channel?.summaryFrom;
  if (from === undefined || endpoint.breaker !== undefined || opensAt(state, now) > now) return [];
  const old = [...waiting.values()].filter(
    (each) => each.eventMs < now - oldAfterMs && each.notBefore <= now && (!hasFleet || each.claim !== undefined),
  );
  return old.length < from ? [] : old.map(({ file }) => file);
}
