// The list of sessions that wait and agents' limits as 1.0.0-rc.1 kept them: as records of sessions that never were.
import type { AccountLimit } from "../../policies/limit.ts";
import { ofAllSessions, usageLimitSession } from "../../model/own-events.ts";
import type { Layout } from "../layout.ts";
import { readSession, removeSession, type SessionRecord } from "../sessions.ts";

/** The key is the channel. */
export function listsOfRc1(layout: Layout): Record<string, { reference: Record<string, string> }> {
  const { remembered } = readSession(layout, ofAllSessions.agent, ofAllSessions.session);
  return Object.fromEntries(Object.entries(remembered).map(([channel, reference]) => [channel, { reference }]));
}

/** Call it once today's form is on the disk. */
export function removeListsOfRc1(layout: Layout): void {
  removeSession(layout, ofAllSessions.agent, ofAllSessions.session);
}

export function limitOfRc1(
  layout: Layout,
  agent: string,
): { told?: AccountLimit | undefined; references: SessionRecord["remembered"] } {
  const { state, open, remembered } = readSession(layout, agent, usageLimitSession);
  const [by] = open ?? [];
  if (state.kind !== "waitsForLimit" || by === undefined) return { references: remembered };
  const { since, until } = state;
  return { told: { since, until, event: by.id, channels: by.channels ?? [] }, references: remembered };
}

/** Call it once today's form is on the disk. */
export function removeLimitOfRc1(layout: Layout, agent: string): void {
  removeSession(layout, agent, usageLimitSession);
}
