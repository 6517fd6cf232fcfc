import type { AgentEvent } from "../../model/event.ts";

/**
 * The same for one event that came by two ways: by two wirings, from an agent that runs another agent's hooks, or
 * because the agent called its hook more than once. It says nothing of the time: within seconds it is one
 * event, an hour later a new one.
 */
export function sameEventKey(
  event: Pick<AgentEvent, "session" | "name" | "turn" | "notificationType" | "reason" | "message">,
): string {
  const { session, name, turn, notificationType, reason, message } = event;
  return JSON.stringify([session, name, turn ?? null, notificationType ?? null, reason ?? null, message ?? null]);
}
