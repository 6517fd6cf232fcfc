// What a session's transcript tells of its turn: the person has answered its question, or has stopped it. After a denial
// or Escape many agents run no hook, and after a permission only once the tool has run.
import { dirname } from "node:path";
import { type Observer, type OpenSession, pauseMs, type Sight } from "./observer.ts";
import { stateOfQuestion, type QuestionState, type TranscriptReader } from "./transcript.ts";

/** Some file systems do not tell of changes. */
const lookEveryMs = 5000;
/** The next look comes this soon where the last one left something unread. */
const readOnMs = 500;
/** An agent may create its transcript a moment after its question. */
const writtenWithinMs = 10_000;
/** The line that ended a turn is near the end of the file. */
const lateTailBytes = 64 * 1024;
/** What was seen of an answer may be a moment younger than the line of the interruption. */
const toleranceMs = 2000;

export function observeTurn(reader: TranscriptReader): Observer {
  return {
    everyMs: (watched, nowMs) => (reader.hasMore() ? readOnMs : pauseMs(lookEveryMs, watched, nowMs)),
    watches: ({ signs, transcripts }) =>
      signs.callsIn === undefined || transcripts.length === 0 ? undefined : transcripts.map((path) => dirname(path)),
    look(open, nowMs) {
      return open.questions.length === 0 ? endIn(reader, open, nowMs) : answerIn(reader, open, nowMs);
    },
  };
}

/** How the transcript says that the turn ended: by Escape, or by an error. */
export function endIn(
  reader: TranscriptReader,
  { session: { state }, signs, transcripts }: OpenSession,
  nowMs: number,
): Sight | undefined {
  const [transcript] = transcripts;
  if (transcript === undefined) return undefined;
  const followed = reader.read(signs, transcript, nowMs, lateTailBytes);
  if (followed === undefined) return undefined;
  const { interruptedAt, failure } = followed;
  const since = state.source === "hook" ? state.since : state.since - toleranceMs;
  const at = Math.max(interruptedAt, failure.at);
  if (at <= since) return undefined;
  const facts = { source: "transcript", at: Math.max(at, state.since) } as const;
  return failure.at > interruptedAt
    ? { kind: "failed", what: failure.what, message: failure.message, ...facts }
    : { kind: "interrupted", ...facts };
}

/** Undefined where there is nothing to read. */
export function answerIn(
  reader: TranscriptReader,
  { signs, questions }: OpenSession,
  nowMs: number,
): Exclude<Sight, { kind: "processGone" | "acted" | "failed" | "idle" }> | undefined {
  let kind: "answered" | "interrupted" = "answered";
  const states = questions.map((question): QuestionState => {
    const { transcript } = question;
    const followed = transcript === undefined ? undefined : reader.read(signs, transcript, nowMs);
    if (followed === undefined) return nowMs - question.at < writtenWithinMs ? "waits" : "gone";
    kind = followed.interruptedAt > question.at ? "interrupted" : "answered";
    return stateOfQuestion(followed, question);
  });
  if (states.every((state) => state === "gone")) return undefined;
  if (states.includes("waits") || states.at(-1) !== "answered") return { kind: "waits" };
  const why = "the transcript says that the question has been answered";
  return { kind, source: "transcript", at: nowMs, ...(kind === "answered" ? { why } : {}) };
}
