import type { PayloadReading } from "../../agents/read-payload.ts";
import { levelOfEvent, type AgentEvent } from "../../model/event.ts";
import { expandHome } from "../../system/paths.ts";

/** What a payload does not say itself. */
export interface EventSurroundings {
  id: string;
  receivedAt: number;
  host: string;
  home: string;
  /** Milliseconds since the epoch, where the start of the running turn was seen. */
  turnStartedAt?: number | undefined;
}

const turnEnds: ReadonlySet<string> = new Set(["Stop", "StopFailure"]);

/** A payload in our own form. */
export function eventOf(reading: PayloadReading & { status: "valid" }, surroundings: EventSurroundings): AgentEvent {
  const { facts } = reading;
  const { id, receivedAt, host, home, turnStartedAt } = surroundings;
  const cwd = expandHome(facts.cwd, home);
  const seenMs =
    turnEnds.has(reading.eventName) && turnStartedAt !== undefined
      ? Math.max(0, receivedAt - turnStartedAt)
      : undefined;
  return {
    ...facts,
    id,
    name: reading.eventName,
    ...(reading.agentEvent === undefined ? {} : { agentEvent: reading.agentEvent }),
    agent: reading.agentId,
    cwd,
    project: projectOf(cwd),
    host,
    at: new Date(receivedAt).toISOString(),
    level: levelOfEvent(reading.eventName, facts.reason),
    durationMs: facts.durationMs ?? seenMs,
  };
}

/** The last part of the path, on either system. */
function projectOf(cwd: string): string {
  return cwd.split(/[/\\]/).findLast((part) => part !== "") ?? cwd;
}
