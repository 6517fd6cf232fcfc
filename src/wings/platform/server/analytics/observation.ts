// One thing that an agent did, as a hook or a transcript tells it, and what it adds to the counts.
import { isTrial, ownAgents } from "../../../../model/own-events.ts";
import { cleanName } from "../../../../agents/dialect/tool-usage.ts";
import type { AgentEvent } from "../../../../model/event.ts";
import type { ClientType } from "../../../../model/usage.ts";
import { countsOfUsage, keyOf, type Counts } from "./counts.ts";

export const sources = { hook: 0, transcript: 1 } as const;
export type UsageSource = keyof typeof sources;

export interface UsageObservation {
  /** The same at every sight of the same thing. */
  id: string;
  /** Its id in earlier releases. */
  formerId?: string | undefined;
  /** Milliseconds since the epoch; decides the UTC day. For other days, it is a wall clock's time as if it were UTC. */
  atMs: number;
  source: UsageSource;
  agent: string;
  session: string;
  user: string;
  client?: ClientType | undefined;
  counts: Counts;
  /** A later reading of the same thing may be more complete: the larger one counts. */
  isGrowing?: boolean | undefined;
}

/** What is counted of an event; its words are not. */
export type CountedEvent = Pick<AgentEvent, "id" | "agent" | "session" | "name" | "agentEvent" | "at" | "usage">;

/** Whether it is work of an agent: not what hookbell tells of itself or of the platform, and no trial of a hook. */
export function isWork({ agent, session }: Pick<CountedEvent, "agent" | "session">): boolean {
  return !ownAgents.has(agent) && !isTrial(session);
}

/** `isIgnored`: the agent talks to itself. Its hook has run all the same. */
export function observationOfEvent(event: CountedEvent, user: string, isIgnored = false): UsageObservation {
  const { id, agent, session, name, agentEvent, usage = {} } = event;
  const counts = { ...countsOfUsage(usage), [keyOf("hook", cleanName(agentEvent ?? name))]: 1 };
  if (!isIgnored && name === "UserPromptSubmit") counts.prompt = 1;
  if (!isIgnored && name === "Stop") counts.answer = 1;
  return { id, atMs: Date.parse(event.at), source: "hook", agent, session, user, client: usage.client, counts };
}
