// The delivery half of the pipeline: what a delivery of the outbox goes through once it is due. Each stage is a file.
import { claim } from "./delivery/claim.ts";
import { collect } from "./delivery/collect.ts";
import type { Collected, DeliveryTools, Due, Merged, Opened } from "./delivery/context.ts";
import { decideAgain } from "./delivery/decide-again.ts";
import { merge } from "./delivery/merge.ts";
import { open } from "./delivery/open.ts";
import { record } from "./delivery/record.ts";
import { render } from "./delivery/render.ts";
import { send } from "./delivery/send.ts";
import { Stages } from "./stages.ts";

/**
 * Where the way ends early, the delivery is back in its queue, another stands for it, or it is gone. What comes back does so
 * one stage further: it is deferred no more, or claimed.
 */
export const deliveryStages = Stages.first<Due, Collected, DeliveryTools>(collect)
  // Policies that defer it: once more, by what its session is now.
  .next(decideAgain)
  // Whether this machine or another one notifies.
  .next(claim)
  // Those that were released together, and old ones, become one.
  .next(merge)
  // Breaker, rate, lease, secrets. From here on, it ends in a record.
  .next(open)
  // It gets buttons, becomes a list, or stays a message.
  .next(render)
  .next(send)
  .next(record);

/** A command in the foreground sends what it has just made: nothing defers it, and no other machine knows of it. */
export const foregroundStages = Stages.first<Merged, Opened, DeliveryTools>(open).next(render).next(send).next(record);
