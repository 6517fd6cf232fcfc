// Reads in the transcript of each session with an open question whether the person has answered it at the terminal: after
// a denial or Escape no hook says so, and after a permission only once the tool has run.
import type { Payload } from "../../agents/dialect/agent.ts";
import { timeOf } from "../../agents/dialect/transcript.ts";
import { transcripts } from "../../agents/transcripts.ts";
import type { OpenEvent } from "../../attention/session.ts";
import { wasQuestion } from "../../model/event.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";
import { isStillThere } from "../../system/terminal/find-terminal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { askingIn } from "../plan/waiting-list.ts";
import { digestOfInput } from "../understand/moment.ts";

export interface TerminalWatch {
  /** A session may have a new question. */
  reconsider(): void;
  /** Sessions whose questions have all been answered; each once. */
  findAnswered(): SessionRecord[];
  /** Whether an answer may still show. */
  isBusy(): boolean;
  finish(): void;
}

const lookEveryMs = 1000;
/** A person who has not answered for so long is not at the terminal. */
const watchedForMs = 60 * 60_000;
/** An agent writes a call into its transcript about when it asks. */
const writtenWithinMs = 10_000;
/** Before the question's call come few lines of its turn. */
const tailBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;
const maxLineBytes = 4 * 1024 * 1024;
const maxCalls = 500;

/** What has been read of a transcript. Times are milliseconds since the epoch. */
interface Followed {
  path: string;
  offset: number;
  calls: Map<string, { tool: string; input: string; begunAt: number; endedAt?: number }>;
  interruptedAt: number;
}

export function createTerminalWatch({ layout, tools }: Dispatcher, wake: () => void): TerminalWatch {
  const { clock } = tools;
  const followed = new Map<string, Followed>();
  let lookAt = -Infinity;
  let isBusy = false;
  let cancelLook = (): void => {};
  return {
    reconsider() {
      lookAt = -Infinity;
    },
    findAnswered() {
      const now = clock.now();
      if (now < lookAt) return [];
      lookAt = Infinity;
      cancelLook();
      const asking = [...askingIn(layout).values()].filter((session) => isAsking(session, now));
      const states = asking.map((session) => ({ session, state: stateOf(followed, session, now) }));
      const paths = new Set(asking.map(({ transcript }) => transcript));
      for (const path of followed.keys()) if (!paths.has(path)) followed.delete(path);
      isBusy = states.some(({ state }) => state === "open");
      if (isBusy) {
        lookAt = now + lookEveryMs;
        cancelLook = clock.after(lookEveryMs, wake);
      }
      return states.flatMap(({ session, state }) => (state === "answered" ? [session] : []));
    },
    isBusy: () => isBusy,
    finish: () => cancelLook(),
  };
}

function isAsking({ agent, transcript, terminal, open = [] }: SessionRecord, nowMs: number): boolean {
  return (
    transcript !== undefined &&
    Object.hasOwn(transcripts, agent) &&
    transcripts[agent]?.callsIn !== undefined &&
    open.some((each) => wasQuestion(each) && nowMs - each.at < watchedForMs) &&
    (terminal === undefined || isStillThere(terminal))
  );
}

/** `unknown`: the transcript has no call that the question could be about. */
type QuestionState = "open" | "answered" | "unknown";

function stateOf(
  known: Map<string, Followed>,
  { agent, transcript, open = [] }: SessionRecord,
  nowMs: number,
): QuestionState {
  const questions = open.filter(wasQuestion);
  const followed = follow(known, agent, transcript);
  const states = questions.map((question) =>
    followed === undefined ? "unknown" : stateOfQuestion(followed, question),
  );
  if (states.includes("open")) return "open";
  const isNew = questions.some(({ at }) => nowMs - at < writtenWithinMs);
  return states.at(-1) === "answered" ? "answered" : isNew ? "open" : "unknown";
}

/** What is known of the file, with all that is new in it; undefined if it cannot be read. */
function follow(known: Map<string, Followed>, agent: string, path = ""): Followed | undefined {
  try {
    const followed = known.get(path) ?? followFromTail(path);
    if (followed === undefined) return undefined;
    known.set(path, followed);
    readOn(followed, agent);
    return followed;
  } catch {
    // The agent named the path: it may lead to what is no file, or to one that only others may read.
    return undefined;
  }
}

function followFromTail(path: string): Followed | undefined {
  const stats = statIfThere(path);
  if (stats === undefined) return undefined;
  return { path, offset: Math.max(0, stats.bytes - tailBytes), calls: new Map(), interruptedAt: -Infinity };
}

function readOn(followed: Followed, agent: string): void {
  const { path } = followed;
  // It was begun anew.
  if ((statIfThere(path)?.bytes ?? 0) < followed.offset) followed.offset = 0;
  for (let hasMore = true, bytes = 0; hasMore && bytes < 2 * tailBytes;) {
    const read = readLinesFrom(path, followed.offset, { chunkBytes, maxLineBytes });
    if (read === undefined) return;
    for (const line of read.lines) note(followed, agent, line);
    bytes += read.offset - followed.offset;
    followed.offset = read.offset;
    ({ hasMore } = read);
  }
}

function note(followed: Followed, agent: string, text: string): void {
  const line = parsed(text);
  const at = timeOf(line?.timestamp);
  const news = line && transcripts[agent]?.callsIn?.(line);
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

function parsed(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Payload) : undefined;
  } catch {
    // Reading may begin in the middle of a line.
    return undefined;
  }
}

/** Answered once all calls have ended that it can be about: the same call, else any of the same tool, else any at all. */
function stateOfQuestion({ calls, interruptedAt }: Followed, { at, call }: OpenEvent): QuestionState {
  if (interruptedAt > at) return "answered";
  const waiting = [...calls.values()].filter(({ begunAt, endedAt = Infinity }) => begunAt <= at && endedAt > at);
  const ofTool = waiting.filter(({ tool }) => tool === call?.tool);
  const same = ofTool.filter(({ input }) => input === call?.input);
  const candidates = [same, ofTool, waiting].find((each) => each.length > 0) ?? [];
  if (candidates.length === 0) return "unknown";
  return candidates.some(({ endedAt }) => endedAt === undefined) ? "open" : "answered";
}
