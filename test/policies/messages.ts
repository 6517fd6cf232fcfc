// Messages and situations that the tests of the policies start from.
import type { Candidate } from "../../src/policies/decision.ts";
import type { Situation } from "../../src/policies/policies.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import { levelOfEvent } from "../../src/model/level.ts";
import { unknownState } from "../../src/sessions/session-schema.ts";
import type { Session } from "../../src/sessions/state.ts";

/** Saturday, 28 November 2026, 12:00 UTC. */
export const noon = Date.UTC(2026, 10, 28, 12);
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

export function eventOf(name: string, facts: Partial<AgentEvent> = {}, at = noon): AgentEvent {
  const where = { agent: "claude-code", session: "s1", cwd: "/home/you/shop-web", project: "shop-web", host: "desk" };
  return { id: `evt_${name}`, name, ...where, at: new Date(at).toISOString(), level: levelOfEvent(name), ...facts };
}

export const question = eventOf("Notification", { notificationType: "permission_prompt" });
export const done = eventOf("Stop", { durationMs: 5 * minute });
export const broke = eventOf("StopFailure");

/** The message that a rule makes of the event for the phone. */
export function messageOf(event: AgentEvent, more: Partial<Candidate> = {}): Candidate {
  return {
    event,
    level: event.level,
    rule: "a rule",
    channel: "phone",
    isForPeople: true,
    joinedAs: "summary",
    since: Date.parse(event.at),
    expiresAt: Date.parse(event.at) + 6 * hour,
    ...more,
  };
}

export const blankSession: Session = { lastSeenAt: noon, state: unknownState };

export function situationAt(now: number, more: Partial<Situation> = {}): Situation {
  return { now, session: blankSession, mutes: [], buckets: {}, ringing: [], ...more };
}
