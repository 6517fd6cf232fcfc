// Follows the transcripts of sessions with an open question, as far as they tell which tool calls wait for the person.
import type { Payload } from "../../agents/dialect/agent.ts";
import type { AnswerSigns } from "../../agents/answer-signs.ts";
import { timeOf } from "../../agents/dialect/transcript.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";
import { digestOfInput } from "../understand/session.ts";

/** What has been read of a transcript. Times are milliseconds since the epoch. */
export interface Followed {
  path: string;
  offset: number;
  calls: Map<string, { tool: string; input: string; begunAt: number; endedAt?: number }>;
  interruptedAt: number;
}

export interface TranscriptReader {
  /** What is known of the file, with all that is new in it; undefined if it cannot be read. */
  read(signs: AnswerSigns, path: string): Followed | undefined;
  /** Forgets the other files. */
  keep(paths: readonly string[]): void;
}

/** Before the question's call come few lines of its turn. */
const tailBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
const maxLineBytes = 4 * 1024 * 1024;
const maxCalls = 500;

export function createTranscriptReader(): TranscriptReader {
  const known = new Map<string, Followed>();
  return {
    read(signs, path) {
      try {
        const followed = known.get(path) ?? followFromTail(path);
        if (followed === undefined) return undefined;
        known.set(path, followed);
        readOn(followed, signs);
        return followed;
      } catch {
        // The agent named the path: it may lead to what is no file, or to one that only others may read.
        return undefined;
      }
    },
    keep(paths) {
      for (const path of known.keys()) if (!paths.includes(path)) known.delete(path);
    },
  };
}

function followFromTail(path: string): Followed | undefined {
  const stats = statIfThere(path);
  if (stats === undefined) return undefined;
  return { path, offset: Math.max(0, stats.bytes - tailBytes), calls: new Map(), interruptedAt: -Infinity };
}

function readOn(followed: Followed, signs: AnswerSigns): void {
  const { path } = followed;
  // A file that is shorter than before was begun anew.
  const size = statIfThere(path)?.bytes ?? 0;
  if (size < followed.offset) followed.offset = 0;
  if (size === followed.offset) return;
  for (let hasMore = true, bytes = 0; hasMore && bytes < 2 * tailBytes;) {
    const read = readLinesFrom(path, followed.offset, { chunkBytes, maxLineBytes });
    if (read === undefined) return;
    for (const line of read.lines) note(followed, signs, line);
    bytes += read.offset - followed.offset;
    followed.offset = read.offset;
    ({ hasMore } = read);
  }
}

function note(followed: Followed, signs: AnswerSigns, text: string): void {
  const line = parsedObject(text);
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
  if (news.isInterrupted === true) followed.interruptedAt = at;
}

/** Undefined for what is no JSON object: reading may begin in the middle of a line, or end while it is written. */
function parsedObject(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
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
