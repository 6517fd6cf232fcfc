// The one way to count events of other machines, whether they come by HTTPS or by the fleet's stream.
import * as z from "zod";
import { usageSchema } from "../../../../model/usage.ts";
import { maxAheadMs } from "../../contract/dates.ts";
import { type CountedEvent, isWork, observationOfEvent } from "../analytics/observation.ts";
import type { Database } from "./database.ts";
import { ingest } from "./ingest.ts";

/** The server remembers the ids of events for so long; older ones could count twice. */
export const maxEventAgeDays = 30;
const dayMs = 86_400_000;

/** What is counted of an event. Its other texts are not read, so only the body bounds them. */
export const countedSchema = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  agentEvent: z.string().max(200).optional(),
  agent: z.string().max(100),
  session: z.string().max(200),
  at: z.string().max(40),
  usage: usageSchema.optional(),
});

/** An event, and who it is of. `isIgnored`: the agent talks to itself. */
export interface EventOf {
  event: CountedEvent;
  user: string;
  isIgnored?: boolean | undefined;
}

/** Such as "event.at: is in the future". */
export function whyRefused({ at }: CountedEvent, nowMs: number): string | undefined {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return "event.at: is not a time";
  if (atMs < nowMs - maxEventAgeDays * dayMs) return `event.at: is more than ${maxEventAgeDays} days ago`;
  return atMs > nowMs + maxAheadMs ? "event.at: is in the future" : undefined;
}

/** All of them are on the disk when it returns. Each counts once, however often it comes. */
export function countEvents(database: Database, events: readonly EventOf[]): void {
  const counted = events.filter(({ event }) => isWork(event));
  if (counted.length === 0) return;
  ingest(
    database,
    counted.map(({ event, user, isIgnored }) => observationOfEvent(event, user, isIgnored)),
    [],
  );
}
