// What the days and digests count of an event.
import { type AgentEvent, isQuestion } from "../model/event.ts";
import { ownAgents, usageLimitSession } from "../model/own-events.ts";

export interface EventCounts {
  turns: number;
  questions: number;
  failures: number;
}

/** All are 0 for what is no work: hookbell's own events, and the limit of all sessions, whose failed turn counts. */
export function countsOf({
  name,
  level,
  agent,
  session,
}: Pick<AgentEvent, "name" | "level" | "agent" | "session">): EventCounts {
  if (ownAgents.has(agent) || session === usageLimitSession) return { turns: 0, questions: 0, failures: 0 };
  return {
    turns: name === "Stop" || name === "StopFailure" ? 1 : 0,
    questions: isQuestion({ name, level }) ? 1 : 0,
    failures: level === "error" ? 1 : 0,
  };
}
