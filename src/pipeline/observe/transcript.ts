// Reads the new lines of open sessions' transcripts, as far as they tell which tool calls wait for the person.
import type { AnswerSigns } from "../../agents/answer-signs.ts";
import { timeOf } from "../../agents/dialect/transcript.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";
import { digestOfInput } from "../understand/session.ts";
import { asObject, parseJson } from "../../model/json.ts";

/** What has been read of a transcript. Times are milliseconds since the epoch. */
export interface Followed {
  path: string;
  offset: number;
  /** A whole line ends at this offset. */
  isAtLine: boolean;
  hasMore: boolean;
  calls: Map<string, { tool: string; input: string; begunAt: number; endedAt?: number }>;
  interruptedAt: number;
  /** When the last turn was over. */
  overAt: number;
  /** The last error that ended a turn. */
  failure: { at: number; what: string; message?: string | undefined };
}

export interface TranscriptReader {
  /** What is known of the file, with what is new in it; the first reading begins so far before its end. Undefined if it cannot be read. */
  read(signs: AnswerSigns, path: string, nowMs: number, tailBytes?: number): Followed | undefined;
  /** Whether something is left for the next reading. */
  hasMore(): boolean;
}

/** Few lines of its turn come before the call that asks. */
const usualTailBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
const maxLineBytes = 4 * 1024 * 1024;
const maxCalls = 500;
/** Transcripts whose place in the file is remembered. */
const maxFollowed = 200;
/** All transcripts share this limit, so that many busy agents do not keep a processor busy. */
const maxBytesPerSecond = 4 * 1024 * 1024;

/** All observers share one reader. A file that has not grown is not opened. */
export function createTranscriptReader(): TranscriptReader {
  const known = new Map<string, Followed>();
  let [allowedBytes, allowedAt] = [maxBytesPerSecond, -Infinity];
  return {
    read(signs, path, nowMs, tailBytes = usualTailBytes) {
      if (signs.callsIn === undefined) return undefined;
      const earnedBytes = (Math.abs(nowMs - allowedAt) / 1000) * maxBytesPerSecond;
      [allowedBytes, allowedAt] = [Math.min(allowedBytes + earnedBytes, maxBytesPerSecond), nowMs];
      try {
        const followed = known.get(path) ?? followFromTail(path, tailBytes);
        if (followed === undefined) return undefined;
        known.delete(path);
        known.set(path, followed);
        const [oldest] = known.keys();
        if (known.size > maxFollowed && oldest !== undefined) known.delete(oldest);
        allowedBytes -= readOn(followed, signs, nowMs, allowedBytes);
        return followed;
      } catch {
        // The agent named the path: it may lead to what is no file, or to one that only others may read.
        return undefined;
      }
    },
    hasMore: () => [...known.values()].some(({ hasMore }) => hasMore),
  };
}

function followFromTail(path: string, tailBytes: number): Followed | undefined {
  const stats = statIfThere(path);
  if (stats === undefined) return undefined;
  const offset = Math.max(0, stats.bytes - tailBytes);
  return {
    path,
    offset,
    isAtLine: false,
    hasMore: false,
    calls: new Map(),
    interruptedAt: -Infinity,
    overAt: -Infinity,
    failure: { at: -Infinity, what: "" },
  };
}

/** Reads until the file's end or a little more than so many bytes, and returns how many it has read. */
function readOn(followed: Followed, signs: AnswerSigns, nowMs: number, mostBytes: number): number {
  const { path } = followed;
  const beginAnew = (): void => {
    followed.offset = 0;
    followed.isAtLine = false;
    if (signs.takesTurnsBack === true) followed.interruptedAt = nowMs;
  };
  const size = statIfThere(path)?.bytes ?? 0;
  if (size < followed.offset) beginAnew();
  followed.hasMore = size > followed.offset;
  let bytes = 0;
  while (followed.hasMore && bytes < mostBytes) {
    const read = readLinesFrom(path, followed.offset, { chunkBytes, maxLineBytes });
    if (read === undefined) break;
    // The agent has written the file anew, and it is longer already: Droid does so for a title.
    if (read.beganInLine === true && followed.isAtLine) {
      beginAnew();
      continue;
    }
    for (const line of read.lines) note(followed, signs, line);
    bytes += read.offset - followed.offset;
    followed.isAtLine = read.lines.length > 0 || (followed.isAtLine && read.offset === followed.offset);
    followed.offset = read.offset;
    ({ hasMore: followed.hasMore } = read);
  }
  return bytes;
}

function note(followed: Followed, signs: AnswerSigns, text: string): void {
  const line = asObject(parseJson(text));
  const news = line && signs.callsIn?.(line);
  const at = news?.at ?? timeOf(line?.timestamp);
  if (at === undefined || news === undefined) return;
  const { calls } = followed;
  for (const { id, tool, input } of news.begun ?? []) {
    calls.set(id, { tool, input: digestOfInput(input), begunAt: at });
    const [oldest] = calls.keys();
    if (calls.size > maxCalls && oldest !== undefined) calls.delete(oldest);
  }
  for (const id of news.ended ?? []) {
    const call = calls.get(id);
    if (call !== undefined) call.endedAt = at;
  }
  if (news.isOnlyForStop === true) return;
  if (news.isInterrupted === true) followed.interruptedAt = at;
  if (news.isOver === true) followed.overAt = at;
  if (news.failure !== undefined) followed.failure = { at, what: news.failure, message: news.failureMessage };
}

/** The calls run, so the person has allowed them: the one with this id, or all that have begun. */
export function endCalls({ calls }: Followed, id: string | undefined, at: number): void {
  for (const call of id === undefined ? calls.values() : [calls.get(id)]) {
    if (call !== undefined && call.begunAt < at) call.endedAt ??= at;
  }
}

/** `unknown`: nothing is known of a call that the question could be about. `gone`: there is nothing to read. */
export type QuestionState = "waits" | "answered" | "unknown" | "gone";

/** Answered once all calls have ended that it can be about: the same call, else any of the same tool, else any at all. */
export function stateOfQuestion({ calls, interruptedAt }: Followed, { at, call }: OpenEvent): QuestionState {
  if (interruptedAt > at) return "answered";
  const waiting = [...calls.values()].filter(({ begunAt, endedAt = Infinity }) => begunAt <= at && endedAt > at);
  const ofTool = waiting.filter(({ tool }) => tool === call?.tool);
  const same = ofTool.filter(({ input }) => input === call?.input);
  const candidates = [same, ofTool, waiting].find((each) => each.length > 0) ?? [];
  if (candidates.length === 0) return "unknown";
  return candidates.some(({ endedAt }) => endedAt === undefined) ? "waits" : "answered";
}
