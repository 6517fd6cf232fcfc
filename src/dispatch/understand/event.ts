// A payload in hookbell's own form, and what it says about its session.
import type { PayloadReading } from "../../agents/read-payload.ts";
import { usageOfPayload } from "../../agents/dialect/usage.ts";
import { type AgentEvent, levelOfEvent } from "../../model/event.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { expandHome } from "../../system/paths.ts";

export interface EventSurroundings {
  id: string;
  receivedAt: number;
  host: string;
  home: string;
  /** Where the start of the turn was seen, in milliseconds since the epoch. */
  turnStartedAt?: number | undefined;
}

const turnEnds: ReadonlySet<string> = new Set(["Stop", "StopFailure"]);

export function eventOf(reading: PayloadReading & { status: "valid" }, surroundings: EventSurroundings): AgentEvent {
  const { facts } = reading;
  const { id, receivedAt, host, home, turnStartedAt } = surroundings;
  const cwd = expandHome(facts.cwd, home);
  const seenMs =
    turnEnds.has(reading.eventName) && turnStartedAt !== undefined
      ? Math.max(0, receivedAt - turnStartedAt)
      : undefined;
  const usage = usageOfPayload(reading.usual, reading.agentEvent ?? reading.eventName);
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
    ...(usage === undefined ? {} : { usage }),
  };
}

function projectOf(cwd: string): string {
  return cwd.split(/[/\\]/).findLast((part) => part !== "") ?? cwd;
}

export function sessionAfter(session: SessionRecord, event: AgentEvent): SessionRecord {
  const seen = { ...session, lastSeenAt: Date.parse(event.at) };
  if (event.name === "UserPromptSubmit") {
    // Qwen Code sends its prompt again after an answered question.
    const goesOn = session.turnStartedAt !== undefined && event.turn !== undefined && event.turn === session.turn;
    return goesOn ? seen : { ...seen, turnStartedAt: Date.parse(event.at), turn: event.turn };
  }
  if (event.name === "Stop" || event.name === "StopFailure" || event.name === "SessionEnd") {
    const { turnStartedAt: _startedAt, turn: _turn, ...ended } = seen;
    return ended;
  }
  return seen;
}
