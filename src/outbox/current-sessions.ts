// The sessions as they are now, also while no dispatcher runs: what is silent for too long is unknown, and a process may have ended.
import { isLive, lineOf, sessionAt } from "../sessions/describe.ts";
import { sessionObserved, type Observation } from "../sessions/reduce.ts";
import { processLook } from "../system/process/facts.ts";
import { canBeSignalled, isStillRunning } from "../system/process/identity.ts";
import { createHeardCheck } from "./last-contact.ts";
import type { Layout } from "./layout.ts";
import { listSessions, type SessionRecord } from "./sessions.ts";

export function currentSessions(layout: Layout, nowMs: number, sessions = listSessions(layout)): SessionRecord[] {
  const check = createProcessCheck(layout);
  const unheard = createHeardCheck(layout);
  return sessions.map((session) => {
    const state = unheard(session, nowMs);
    if (state !== undefined) return { ...session, state };
    const gone = check(session, nowMs);
    // Only its last sign is known: no dispatcher has noted when the process ended.
    const seen = gone && sessionObserved(session, { ...gone, at: session.lastSeenAt });
    return sessionAt(seen ?? session, nowMs);
  });
}

/** What a status line says of all sessions, and of the rules file if it is broken. */
export function currentLine(layout: Layout, nowMs: number, areRulesBroken: boolean): string {
  const sessions = currentSessions(layout, nowMs, listSessions(layout, nowMs));
  const line = lineOf(sessions.filter((session) => isLive(session, nowMs)));
  return [line, areRulesBroken ? "rules broken" : ""].filter(Boolean).join(", ");
}

/** The agent's process; undefined where none is known. */
export function processOf({ process, terminal }: SessionRecord): { pid: number; start: string } | undefined {
  return process ?? terminal;
}

/** All that are known to be or to have been the agent's, the first known first. */
export function processesOf({
  earlierProcesses = [],
  process,
  terminal,
}: SessionRecord): { pid: number; start: string }[] {
  return [...earlierProcesses, process, terminal].filter((each) => each !== undefined);
}

/** Process ids are reused rarely, and elsewhere than on Linux only `ps` tells. A process that has ended shows at once. */
const checksAgainMs = 60_000;
const maxChecked = 1000;
/** When each process was last seen to be the one that it was, by its id and start. */
const checkedProcesses = (): Map<string, number> => new Map();

/** A session whose process has ended can neither work nor wait. Undefined where that is known, or no process is. */
export function createProcessCheck(layout: Layout): (session: SessionRecord, nowMs: number) => Observation | undefined {
  const checked = layout.memory(checkedProcesses);
  let look = processLook();
  let lookedAt = -Infinity;
  return (session, nowMs) => {
    const known = processOf(session);
    if (known === undefined || session.state.kind === "gone") return undefined;
    const gone: Observation = { kind: "processGone", source: "process", at: nowMs };
    const key = `${known.pid} ${known.start}`;
    if (Math.abs(nowMs - (checked.get(key) ?? -Infinity)) < checksAgainMs) {
      return canBeSignalled(known.pid) ? undefined : gone;
    }
    if (nowMs - lookedAt >= checksAgainMs) [look, lookedAt] = [processLook(), nowMs];
    if (!isStillRunning(known, look)) return gone;
    if (checked.size >= maxChecked) checked.clear();
    checked.set(key, nowMs);
    return undefined;
  };
}
