// A session's record as a test needs it: it waits for the person if it has an open question.
import type { SessionRecord } from "../../../src/outbox/sessions.ts";
import { unknownState } from "../../../src/sessions/session-schema.ts";
import { questionsOf, type Session } from "../../../src/sessions/state.ts";

function sessionOf(facts: Partial<Session> = {}): Session {
  const question = questionsOf(facts).at(-1);
  const state =
    question === undefined
      ? unknownState
      : ({ kind: "needsYou", since: question.at, reason: "", source: "hook", question: question.id } as const);
  return { lastSeenAt: question?.at ?? 0, state, ...facts };
}

export function recordOf(facts: Partial<SessionRecord> & Pick<SessionRecord, "agent" | "session">): SessionRecord {
  return { remembered: {}, ...facts, ...sessionOf(facts) };
}
