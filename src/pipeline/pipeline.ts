// What happens to an event, then to each of its deliveries: the stages in their order. Each is one file of the same name, and adds to
// the context what its name says.
import type { IncomingPayload } from "../outbox/incoming.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ask, unasked } from "./event/ask.ts";
import { compose } from "./event/compose.ts";
import type { Decided, Ingested, Tracked } from "./event/context.ts";
import { dedupe } from "./event/dedupe.ts";
import { derive } from "./event/derive.ts";
import { enqueue, type Enqueued } from "./event/enqueue.ts";
import { enrich } from "./event/enrich.ts";
import { identify } from "./event/identify.ts";
import { ingest, reject } from "./event/ingest.ts";
import { route } from "./event/route.ts";
import { track, trackMissedFailure } from "./event/track.ts";

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

// The stages of an event.

/**
 * A payload of incoming/ becomes deliveries in outbox/. `Commits` syncs them, and only then removes the payload: ids derive
 * from its file's name, and nothing is sent before, so a crash repeats no message. Undefined without the lease.
 */
export async function processPayload(
  dispatcher: Dispatcher,
  incoming: IncomingPayload,
  hasLease: () => boolean,
): Promise<Enqueued | undefined> {
  const ingested = ingest(incoming, dispatcher);
  if ("status" in ingested) return hasLease() ? reject(dispatcher, incoming, ingested) : undefined;
  const missed = hasLease() ? trackMissedFailure(dispatcher, ingested) : undefined;
  const before = missed && enqueue(unasked(decide(dispatcher, missed)), dispatcher);
  const decided = await decidePayload(dispatcher, ingested);
  // Another dispatcher would send what this one has sent and not recorded.
  if (!hasLease()) return undefined;
  const own = enqueue(ask(decided, dispatcher), dispatcher, incoming);
  return before === undefined ? own : both(before, own);
}

function both(first: Enqueued, second: Enqueued): Enqueued {
  return {
    sessions: [...(first.sessions ?? []), ...(second.sessions ?? [])],
    deliveries: [...first.deliveries, ...second.deliveries],
    outdated: [...(first.outdated ?? []), ...(second.outdated ?? [])],
  };
}

/** What a payload becomes: for `hook --wait`, `hook --reply` and `explain`, too. Writes nothing. */
export async function decidePayload(dispatcher: Dispatcher, ingested: Ingested): Promise<Decided> {
  return decide(dispatcher, await trackPayload(dispatcher, ingested));
}

/** Its event and its session. From here to the end of `enqueue` nothing waits: answers and receipts would be overwritten. */
export async function trackPayload(dispatcher: Dispatcher, ingested: Ingested): Promise<Tracked> {
  return track(await enrich(identify(ingested, dispatcher), dispatcher), dispatcher);
}

/** What an event becomes, whether a payload, an observation, a recorded event or `replay` brings it. Writes nothing. */
export function decide(dispatcher: Dispatcher, tracked: Tracked): Decided {
  const routed = route(tracked, dispatcher);
  if (isDecided(routed)) return routed;
  const deduped = dedupe(routed, dispatcher);
  if (isDecided(deduped)) return deduped;
  return compose(derive(deduped, dispatcher), dispatcher);
}

function isDecided(context: object): context is Decided {
  return "suppressed" in context;
}

// The stages of a delivery of the outbox, once it is due.

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
