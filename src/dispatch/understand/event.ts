// Makes an event of a payload.
import type { PayloadReading } from "../../agents/read-payload.ts";
import { usageOfPayload } from "../../agents/dialect/usage.ts";
import { type AgentEvent, levelOfEvent } from "../../model/event.ts";
import { lastPart } from "../../model/text.ts";
import { expandHome } from "../../system/paths.ts";

export interface EventSurroundings {
  id: string;
  receivedAt: number;
  host: string;
  home: string;
}

export function eventOf(reading: PayloadReading & { status: "valid" }, surroundings: EventSurroundings): AgentEvent {
  const { facts } = reading;
  const { id, receivedAt, host, home } = surroundings;
  const cwd = expandHome(facts.cwd, home);
  const usage = usageOfPayload(reading.usual, reading.agentEvent ?? reading.eventName);
  return {
    ...facts,
    id,
    name: reading.eventName,
    ...(reading.agentEvent === undefined ? {} : { agentEvent: reading.agentEvent }),
    agent: reading.agentId,
    cwd,
    project: lastPart(cwd),
    host,
    at: new Date(receivedAt).toISOString(),
    level: facts.level ?? levelOfEvent(reading.eventName, facts.reason),
    ...(usage === undefined ? {} : { usage }),
  };
}
