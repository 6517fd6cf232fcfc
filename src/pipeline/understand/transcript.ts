// What the transcript says of a payload that comes: how the turn ended, which call waits for permission, and whether the agent's
// own reviewer decides first; and whether a person is before the session.
import { join } from "node:path";
import type { AnswerSigns, CallNews, SessionStart } from "../../agents/answer-signs.ts";
import { toolFacts } from "../../agents/dialect/tool-line.ts";
import { timeOf } from "../../agents/dialect/transcript.ts";
import { placeFolder } from "../../agents/hook-setup.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import { answerSigns } from "../../agents/signs-of-agents.ts";
import { objectIn, textOf } from "../../model/json.ts";
import { hiddenPath } from "../../outbox/sessions.ts";
import type { Session } from "../../sessions/state.ts";
import type { Environment } from "../../system/environment.ts";
import { statIfThere } from "../../system/files/files.ts";
import { readStartIfThere } from "../../system/files/read.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";

/** The agent writes why its turn ended just before the hook runs. */
const endTailBytes = 64 * 1024;
/** The call that waits is among the last lines; one that writes a long file is not named. */
const callTailBytes = 256 * 1024;
/** The line about the reviewer stands at the beginning of the turn. */
const turnTailBytes = 4 * 1024 * 1024;

export function signsOf(agentId: string): AnswerSigns | undefined {
  return Object.hasOwn(answerSigns, agentId) ? answerSigns[agentId] : undefined;
}

/** The session without the subagents whose transcripts say that they are over by now, or cannot be read. */
export function withoutEndedSubagents<S extends Session>(session: S, agentId: string): S {
  const signs = signsOf(agentId);
  const { helpers } = session;
  if (helpers === undefined || signs?.tellsOfSubagents !== true) return session;
  const running = helpers.filter(({ transcript: path, since }) => {
    const transcript = hiddenPath(path);
    if (transcript === undefined) return path === undefined;
    return statIfThere(transcript) !== undefined && lastNews(signs, transcript, since, Infinity).isOver !== true;
  });
  return running.length === helpers.length ? session : { ...session, helpers: running };
}

/** The transcript of an agent whose hooks do not always name it. */
export function transcriptOf(
  { transcriptOf: file }: AnswerSigns,
  session: string,
  env: Environment,
  home: string,
): string | undefined {
  const path = file?.path(session);
  return file === undefined || path === undefined ? undefined : join(placeFolder(file.place, env, home), path);
}

/**
 * The reading of a hook that also runs after Escape and after an error, as what it is: a failure, an interruption that no one needs to be told of, or the end of a
 * turn. The turn began at `from`, and the hook ran at `to`, in milliseconds since the epoch.
 */
export function withTrueEnd<Reading extends PayloadReading & { status: "valid" }>(
  reading: Reading,
  { from = -Infinity, to }: { from: number | undefined; to: number },
): Reading {
  const { agentId, eventName, agentEvent = eventName, payload, facts } = reading;
  const signs = signsOf(agentId);
  const transcript = textOf(payload.transcript_path);
  if (eventName !== "Stop" || signs?.explainsStop !== true || transcript === undefined) return reading;
  const { isInterrupted, failure: reason, failureMessage: message } = lastNews(signs, transcript, from, to);
  if (isInterrupted === true) {
    return {
      ...reading,
      facts: { ...facts, means: "interrupted" },
      ignored: "the transcript says that you stopped the turn",
    };
  }
  if (reason === undefined) return reading;
  return { ...reading, eventName: "StopFailure", agentEvent, facts: { ...facts, reason, message } };
}

/** The error that has ended a turn of which no hook has told, when the session ends. */
export function failureAtEnd(
  { agentId, payload }: PayloadReading & { status: "valid" },
  { from = -Infinity, to }: { from: number | undefined; to: number },
): Pick<CallNews, "failure" | "failureMessage"> {
  const signs = signsOf(agentId);
  const transcript = textOf(payload.transcript_path);
  return signs === undefined || transcript === undefined ? {} : lastNews(signs, transcript, from, to);
}

/**
 * A Notification that names no call, with what the call asks for that waits: the only one since `from` without a result. A
 * subagent's call stands in another file, so while a subagent runs, none is named. No hook waits, so it gets no buttons.
 */
export function withPendingCall<Reading extends PayloadReading & { status: "valid" }>(
  reading: Reading,
  { from = -Infinity, to }: { from: number | undefined; to: number },
): Reading {
  const { agentId, eventName, payload, facts } = reading;
  const signs = signsOf(agentId);
  const transcript = textOf(payload.transcript_path);
  const isBare = eventName === "Notification" && facts.notificationType === "permission_prompt" && !facts.request;
  if (!isBare || signs?.tools === undefined || transcript === undefined) return reading;
  const [call, ...others] = pendingCalls(signs, transcript, from, to);
  if (call === undefined || others.length > 0 || signs.tools[call.tool] === "startsSubagent") return reading;
  const asked = toolFacts(signs.tools, { tool_name: call.tool, tool_input: call.input, cwd: facts.cwd });
  return { ...reading, facts: { ...facts, ...asked } };
}

function pendingCalls(
  { callsIn }: AnswerSigns,
  transcript: string,
  from: number,
  to: number,
): NonNullable<CallNews["begun"]> {
  const pending = new Map<string, NonNullable<CallNews["begun"]>[number]>();
  for (const text of lastLines(transcript, callTailBytes)) {
    const line = objectIn(text);
    const at = timeOf(line.timestamp);
    if (at === undefined || at <= from || at > to || line.isSidechain === true) continue;
    const { begun = [], ended = [], isInterrupted = false } = callsIn?.(line) ?? {};
    if (isInterrupted) pending.clear();
    for (const call of begun) pending.set(call.id, call);
    for (const id of ended) pending.delete(id);
  }
  return [...pending.values()];
}

/** The last line decides that says anything of the turn. */
function lastNews({ callsIn }: AnswerSigns, transcript: string, from: number, to: number): CallNews {
  let last: CallNews = {};
  for (const text of lastLines(transcript, endTailBytes)) {
    const line = objectIn(text);
    const news = callsIn?.(line);
    const at = news?.at ?? timeOf(line.timestamp);
    if (news !== undefined && at !== undefined && at > from && at <= to) last = news;
  }
  return last;
}

/** Whether an agent's own reviewer decides about a question before the person is asked: the last line that says so decides. */
export function isReviewed({ agentId, eventName, payload }: PayloadReading & { status: "valid" }): boolean {
  const signs = signsOf(agentId);
  const transcript = textOf(payload.transcript_path);
  if (eventName !== "PermissionRequest" || signs?.isReviewed === undefined || transcript === undefined) return false;
  let last = false;
  for (const line of lastLines(transcript, turnTailBytes)) last = signs.isReviewed(line) ?? last;
  return last;
}

/** Its beginning says it, or each line. */
const startBytes = 64 * 1024;

/** How the session was started; undefined where its transcript does not say. */
export function sessionStartOf({ agentId, payload }: PayloadReading & { status: "valid" }): SessionStart | undefined {
  const signs = signsOf(agentId);
  const transcript = textOf(payload.transcript_path);
  if (signs?.startedBy === undefined || transcript === undefined) return undefined;
  return startIn(signs, [...lastLines(transcript, endTailBytes)]) ?? startIn(signs, firstLines(transcript));
}

/** The last line that says it decides. */
function startIn({ startedBy }: AnswerSigns, lines: readonly string[]): SessionStart | undefined {
  for (const line of lines.toReversed()) {
    const start = startedBy?.(line);
    if (start !== undefined) return start;
  }
  return undefined;
}

function firstLines(path: string): string[] {
  try {
    return readStartIfThere(path, startBytes)?.toString("utf8").split("\n") ?? [];
  } catch {
    return [];
  }
}

/** The last lines of a transcript, oldest first; none where the file cannot be read. */
function* lastLines(path: string, tailBytes: number): Generator<string> {
  try {
    let offset = Math.max(0, (statIfThere(path)?.bytes ?? 0) - tailBytes);
    for (let hasMore = true; hasMore;) {
      const read = readLinesFrom(path, offset, { chunkBytes: tailBytes, maxLineBytes: tailBytes });
      if (read === undefined) return;
      yield* read.lines;
      ({ offset, hasMore } = read);
    }
  } catch {
    // The agent named the path: it may lead to what is no file, or to one that only others may read.
  }
}
