// Records what the user did about a session's notifications: in the journal and in the session.
import { writeJournal } from "../../outbox/journal.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { sessionObserved } from "../../sessions/reduce.ts";
import type { Clocked, NoteReaction } from "../dispatcher.ts";
import { noteSession } from "../coalescer/waiting-list.ts";

/** Throws the system's error. */
export function recordReaction(
  { layout, tools }: Clocked,
  { agent, session, isLimit }: Parameters<NoteReaction>[0],
  how: string,
  isAnswer?: boolean,
): void {
  const at = tools.clock.now();
  writeJournal(layout, at, { kind: "acted", agent, session, how, isAnswer });
  if (isLimit === true) return;
  const after = sessionObserved(readSession(layout, agent, session), {
    kind: "acted",
    at,
    source: "person",
    how,
    isAnswer,
  });
  noteSession(layout, after);
  writeSession(layout, after);
}
