// The sessions as they are now, also while no dispatcher runs: what is silent for too long is unknown, and a process may have ended.
import { sessionAt } from "../sessions/describe.ts";
import { sessionObserved, type Observation } from "../sessions/reduce.ts";
import { isStillThere } from "../system/terminal/find-terminal.ts";
import type { SessionRecord } from "./sessions.ts";

export function currentSessions(sessions: readonly SessionRecord[], nowMs: number): SessionRecord[] {
  return sessions.map((session) => {
    const gone = processGone(session, nowMs);
    return sessionAt(gone === undefined ? session : sessionObserved(session, gone), nowMs);
  });
}

/** A session whose process has ended can neither work nor wait. Undefined where that is known, or no process is. */
export function processGone({ terminal, state }: SessionRecord, nowMs: number): Observation | undefined {
  if (terminal === undefined || state.kind === "gone" || isStillThere(terminal)) return undefined;
  return { kind: "processGone", source: "process", at: nowMs };
}
