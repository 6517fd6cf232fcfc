// The event that a payload reports, before anything else is known of it.
import { usageOfPayload } from "../../agents/dialect/usage.ts";
import { type AgentEvent, hasAQuestion, isQuestion } from "../../model/event.ts";
import { type Level, levelOfEvent } from "../../model/level.ts";
import { lastPart } from "../../model/places/folder.ts";
import { endsInQuestion } from "../../model/text.ts";
import { expandHome } from "../../system/paths.ts";
import type { ValidReading } from "./reading.ts";

export function eventOf(
  reading: ValidReading,
  { id, receivedAt, host, home }: { id: string; receivedAt: number; host: string; home: string },
): AgentEvent {
  const { facts } = reading;
  const cwd = expandHome(facts.cwd, home);
  const { agentEvent = reading.eventName } = reading;
  const usage = usageOfPayload(reading.usual, agentEvent) ?? usageOfPayload(reading.usual, reading.eventName);
  return {
    ...facts,
    id,
    name: reading.eventName,
    ...(reading.agentEvent === undefined ? {} : { agentEvent: reading.agentEvent }),
    agent: reading.agentId,
    cwd,
    project: facts.project ?? lastPart(cwd),
    host,
    at: new Date(receivedAt).toISOString(),
    level: levelOf(reading),
    ...(asksAtEnd(reading) ? { headline: hasAQuestion } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Whether the agent waits for the person. */
export function asks(reading: ValidReading): boolean {
  return isQuestion({ ...reading.facts, name: reading.eventName, level: levelOf(reading) });
}

/** The turn is over, and its last words are a question. */
function asksAtEnd({ eventName, facts }: ValidReading): boolean {
  return eventName === "Stop" && facts.title === undefined && endsInQuestion(facts.message ?? "");
}

function levelOf({ eventName, facts }: ValidReading): Level {
  return facts.level ?? levelOfEvent(eventName, facts.reason);
}
