import type { AgentEvent } from "../../model/event.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";

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
