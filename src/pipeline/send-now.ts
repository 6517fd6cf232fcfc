// Sends a delivery in the foreground, while the user waits: by the same stages, with a queue of its own.
import type { Dispatcher } from "./dispatcher.ts";
import type { ChannelState } from "./channel/endpoint-policy.ts";
import type { DeliveryFile } from "../outbox/deliveries/deliveries.ts";
import { foregroundStages } from "./pipeline.ts";
import type { NextState, Recorded } from "./delivery/context.ts";
import { ChannelQueue } from "./delivery/queue/channel-queue.ts";
import { ChannelQueues, queued } from "./delivery/queue/channel-queues.ts";
import { isEnded } from "./stages.ts";

export type SentNow = NextState & Pick<Recorded["result"]["attempt"], "outcome">;

/** Undefined when there is nothing to send. `fallbacks`: ids of the fallbacks that this command has made. */
export async function sendNow(
  dispatcher: Dispatcher,
  planned: DeliveryFile,
  state: ChannelState,
  fallbacks: Set<string>,
): Promise<SentNow | undefined> {
  const queues = new ChannelQueues(dispatcher);
  const queue = new ChannelQueue(planned.delivery.channel);
  const waiting = queued(planned);
  queue.add(waiting);
  const lease = { renew: () => true };
  const passed = await foregroundStages.run({ queue, waiting, state }, { dispatcher, queues, lease, fallbacks });
  return isEnded(passed) ? undefined : { ...passed.state, outcome: passed.result.attempt.outcome };
}
