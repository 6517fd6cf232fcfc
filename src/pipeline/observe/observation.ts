// Another way in: what an agent's own files, or another machine, say of a session that no payload reports.
import type { AgentEvent } from "../../model/event.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { unasked } from "../event/ask.ts";
import { enqueue, type Enqueued } from "../event/enqueue.ts";
import { decide } from "../pipeline.ts";
import { trackObservation, type SessionObservation } from "../event/track.ts";

/** `how` says what tells of it, where it is not the usual. */
export function ingestObservation(
  dispatcher: Dispatcher,
  session: Pick<AgentEvent, "agent" | "session">,
  observation: SessionObservation,
  how?: string,
): Enqueued {
  const decided = decide(dispatcher, trackObservation(dispatcher, session, observation, { how }));
  // Another machine says every few seconds how its sessions are, which is worth a line only where it ends a question.
  const isQuiet = observation.kind === "told" && decided.retraction === undefined;
  const suppressed = isQuiet ? { by: "frequency" as const } : decided.suppressed;
  return enqueue(unasked({ ...decided, suppressed }), dispatcher);
}
