import type { PayloadReading } from "../../agents/read-payload.ts";
import { type AgentEvent, levelOfEvent } from "../../model/event.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
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

/** What is known of a session once this event is told: above all, when the running turn began. */
export function sessionAfter(session: SessionRecord, event: AgentEvent): SessionRecord {
  const seen = { ...session, lastSeenAt: Date.parse(event.at) };
  if (event.name === "UserPromptSubmit") {
    // Qwen Code tells its prompt once more when a question has been answered.
    const goesOn = session.turnStartedAt !== undefined && event.turn !== undefined && event.turn === session.turn;
    return goesOn ? seen : { ...seen, turnStartedAt: Date.parse(event.at), turn: event.turn };
  }
  if (event.name === "Stop" || event.name === "StopFailure" || event.name === "SessionEnd") {
    const { turnStartedAt: _startedAt, turn: _turn, ...ended } = seen;
    return ended;
  }
  return seen;
}
