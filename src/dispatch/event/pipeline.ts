// The stages of an event, in their order. Each is one file of the same name, and adds to the context what its name says.
import type { IncomingPayload } from "../../outbox/incoming.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { ask } from "./ask.ts";
import { compose } from "./compose.ts";
import type { Decided, Ingested, Tracked } from "./context.ts";
import { dedupe } from "./dedupe.ts";
import { derive } from "./derive.ts";
import { enqueue, type Enqueued } from "./enqueue.ts";
import { enrich } from "./enrich.ts";
import { identify } from "./identify.ts";
import { ingest, reject } from "./ingest.ts";
import { route } from "./route.ts";
import { track } from "./track.ts";

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
  const decided = await decidePayload(dispatcher, ingested);
  // Another dispatcher would send what this one has sent and not recorded.
  if (!hasLease()) return undefined;
  return enqueue(ask(decided, dispatcher), dispatcher, incoming);
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
