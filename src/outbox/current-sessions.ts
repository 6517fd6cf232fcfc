// The sessions as they are now, also while no dispatcher runs: what is silent for too long is unknown, and a process may have ended.
import { isLive, lineOf, sessionAt } from "../sessions/describe.ts";
import { sessionObserved, type Observation } from "../sessions/reduce.ts";
import { isStillThere } from "../system/terminal/find-terminal.ts";
import type { Layout } from "./layout.ts";
import { listSessions, type SessionRecord } from "./sessions.ts";

export function currentSessions(sessions: readonly SessionRecord[], nowMs: number): SessionRecord[] {
  return sessions.map((session) => {
    const gone = processGone(session, nowMs);
    return sessionAt(gone === undefined ? session : sessionObserved(session, gone), nowMs);
  });
}

/** What a status line says of all sessions. */
export function currentLine(layout: Layout, nowMs: number): string {
  const sessions = currentSessions(listSessions(layout, nowMs), nowMs);
  return lineOf(sessions.filter((session) => isLive(session, nowMs)));
}

/** A session whose process has ended can neither work nor wait. Undefined where that is known, or no process is. */
export function processGone({ terminal, state }: SessionRecord, nowMs: number): Observation | undefined {
  if (terminal === undefined || state.kind === "gone" || isStillThere(terminal)) return undefined;
  return { kind: "processGone", source: "process", at: nowMs };
}
