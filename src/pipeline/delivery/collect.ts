// Finds the deliveries that leave together with this one, before anything is decided: they count as one message.
import type { Collected, DeliveryTools, Due } from "./context.ts";

export function collect({ queue, waiting }: Due, { dispatcher }: Pick<DeliveryTools, "dispatcher">): Collected {
  const { file, deferred } = waiting;
  if (deferred === undefined) return { queue, waiting, together: undefined, isDue: true };
  const isDue = deferred.until <= dispatcher.tools.clock.now();
  return { queue, waiting, together: isDue ? queue.leavingWith(waiting) : [file], isDue };
}
