// What one event of a hook adds to the counts.
import { cleanName } from "../../../agents/dialect/tool-usage.ts";
import type { AgentEvent } from "../../../model/event.ts";
import type { Observation } from "../store/ingest.ts";
import { countsOfUsage, keyOf } from "./counts.ts";

/** `isIgnored`: the agent talks to itself. Its hook has run all the same. */
export function observationOfEvent(event: AgentEvent, user: string, isIgnored = false): Observation {
  const { id, agent, session, name, agentEvent, usage = {} } = event;
  const counts = { ...countsOfUsage(usage), [keyOf("hook", cleanName(agentEvent ?? name))]: 1 };
  if (!isIgnored && name === "UserPromptSubmit") counts.prompt = 1;
  if (!isIgnored && name === "Stop") counts.answer = 1;
  return { id, atMs: Date.parse(event.at), source: "hook", agent, session, user, client: usage.client, counts };
}
