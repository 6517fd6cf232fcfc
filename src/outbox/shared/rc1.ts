// The list of sessions that wait as 1.0.0-rc.1 kept it: what each channel remembered of it, as the record of a session that never was.
import { ofAllSessions } from "../../model/own-events.ts";
import type { Layout } from "../layout.ts";
import { readSession, removeSession } from "../sessions.ts";

/** The key is the channel. */
export function listsOfRc1(layout: Layout): Record<string, { reference: Record<string, string> }> {
  const { remembered } = readSession(layout, ofAllSessions.agent, ofAllSessions.session);
  return Object.fromEntries(Object.entries(remembered).map(([channel, reference]) => [channel, { reference }]));
}

/** Call it once today's form is on the disk. */
export function removeListsOfRc1(layout: Layout): void {
  removeSession(layout, ofAllSessions.agent, ofAllSessions.session);
}
