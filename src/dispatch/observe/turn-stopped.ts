// Escape in the agent's terminal: some agents run no hook then, and their transcripts have a line for it.
import { answerSigns } from "../../agents/signs-of-agents.ts";
import { createTranscriptReader } from "../answers/calls-in-transcript.ts";
import type { Observer } from "./observer.ts";

export function createTurnStopped(): Observer {
  const reader = createTranscriptReader();
  const followed = new Map<string, string>();
  return ({ agent, session, transcript, state }) => {
    const signs = Object.hasOwn(answerSigns, agent) ? answerSigns[agent] : undefined;
    if (signs?.callsIn === undefined || transcript === undefined || state.kind !== "working") return undefined;
    followed.delete(session);
    followed.set(session, transcript);
    const [oldest] = followed.keys();
    if (followed.size > maxFollowed && oldest !== undefined) followed.delete(oldest);
    reader.keep([...followed.values()]);
    const { interruptedAt: at = -Infinity } = reader.read(signs, transcript) ?? {};
    // What was seen of an answer may be a moment younger than the line of the interruption.
    const since = state.source === "hook" ? state.since : state.since - toleranceMs;
    return at > since ? { kind: "interrupted", source: "transcript", at: Math.max(at, state.since) } : undefined;
  };
}

const toleranceMs = 2000;
/** Transcripts whose place in the file is remembered. */
const maxFollowed = 200;
