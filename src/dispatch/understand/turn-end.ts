// How a turn ended, where the agent's hook for its end runs after Escape and after an error as well.
import type { AnswerSigns, CallNews } from "../../agents/answer-signs.ts";
import { timeOf } from "../../agents/dialect/transcript.ts";
import { objectIn, textOf } from "../../model/json.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import { answerSigns } from "../../agents/signs-of-agents.ts";
import { lastLines } from "./last-lines.ts";

/** The agent writes why its turn ended just before the hook runs. */
const tailBytes = 64 * 1024;

/**
 * The reading of such a hook as what it is: a failure, an interruption that no one needs to be told of, or the end of a
 * turn. The turn began at `from`, and the hook ran at `to`, in milliseconds since the epoch.
 */
export function withTrueEnd<Reading extends PayloadReading & { status: "valid" }>(
  reading: Reading,
  { from = -Infinity, to }: { from: number | undefined; to: number },
): Reading {
  const { agentId, eventName, agentEvent = eventName, payload, facts } = reading;
  const signs = Object.hasOwn(answerSigns, agentId) ? answerSigns[agentId] : undefined;
  const transcript = textOf(payload.transcript_path);
  if (eventName !== "Stop" || signs?.explainsStop !== true || transcript === undefined) return reading;
  const { isInterrupted, failure: reason, failureMessage: message } = lastNews(signs, transcript, from, to);
  if (isInterrupted === true) {
    return {
      ...reading,
      facts: { ...facts, means: "interrupted" },
      ignored: "its transcript says that you stopped the turn",
    };
  }
  if (reason === undefined) return reading;
  return { ...reading, eventName: "StopFailure", agentEvent, facts: { ...facts, reason, message } };
}

/** The last line decides that says anything of the turn. */
function lastNews({ callsIn }: AnswerSigns, transcript: string, from: number, to: number): CallNews {
  let last: CallNews = {};
  for (const text of lastLines(transcript, tailBytes)) {
    const line = objectIn(text);
    const news = callsIn?.(line);
    const at = news?.at ?? timeOf(line.timestamp);
    if (news !== undefined && at !== undefined && at > from && at <= to) last = news;
  }
  return last;
}
