// What an agent notes about its running sessions in small files: whether each works or waits for the person.
import type { SessionStatus } from "../../agents/answer-signs.ts";
import { type KnownFiles, readStatuses } from "../understand/status-files.ts";
import { type Observer, type OpenSession, pauseMs, type Sight } from "./observer.ts";
import type { TranscriptReader } from "./transcript.ts";
import { answerIn, endIn } from "./turn-in-transcript.ts";

/** Some file systems do not tell of changes. */
const lookEveryMs = 2000;
/** The hooks at the end of a turn, which say more, come before that. */
const idleAfterMs = 1000;
/** Between two questions the agent may not wait for an instant. */
const settledAfterMs = 400;

export function observeStatus(reader: TranscriptReader): Observer {
  /** By session: when it was last seen to wait. An agent may show its question a second after its hook. */
  const waitedAt = new Map<string, number>();
  const known: KnownFiles = new Map();
  let listed: { folder: string; at: number; statuses: ReadonlyMap<string, SessionStatus> } | undefined;
  return {
    everyMs: (watched, nowMs) => pauseMs(lookEveryMs, watched, nowMs),
    watches: foldersOf,
    look(open, nowMs) {
      const { signs, questions } = open;
      const { session } = open.session;
      const [folder] = foldersOf(open) ?? [];
      if (signs.status === undefined || folder === undefined) return undefined;
      if (listed?.folder !== folder || listed.at !== nowMs) {
        listed = { folder, at: nowMs, statuses: readStatuses(folder, signs.status, known) };
      }
      const status = listed.statuses.get(session);
      if (status === undefined) return undefined;
      const isAsking = questions.length === 0 && status.isWaiting && signs.status.tellsOfQuestions === true;
      if (questions.length === 0 && !isAsking) return idleIn(reader, open, status, nowMs);
      if (status.isWaiting) {
        waitedAt.set(session, nowMs);
        return isAsking ? questionIn(open, status, nowMs) : { kind: "waits" };
      }
      const seenAt = waitedAt.get(session) ?? -Infinity;
      if (questions.some(({ at }) => seenAt <= at)) return undefined;
      const settledAt = status.since + settledAfterMs;
      if (nowMs < settledAt) return { kind: "waits", againAt: settledAt };
      waitedAt.delete(session);
      const told = answerIn(reader, open, nowMs);
      if (told?.kind === "interrupted") return told;
      return { kind: "answered", source: "transcript", at: nowMs, why: "the agent records that it no longer waits" };
    },
  };
}

/** A question that no hook has told of. */
function questionIn({ session: { state } }: OpenSession, { since }: SessionStatus, nowMs: number): Sight | undefined {
  if (since <= state.since) return undefined;
  const settledAt = since + settledAfterMs;
  return nowMs < settledAt ? { kind: "waits", againAt: settledAt } : { kind: "asks", source: "transcript", at: since };
}

/** After Escape before the first word of an answer, no hook runs and the transcript has no line. Later, the transcript has one. */
function idleIn(
  reader: TranscriptReader,
  open: OpenSession,
  { isIdle, since }: SessionStatus,
  nowMs: number,
): Sight | undefined {
  if (!isIdle || since <= open.session.state.since) return undefined;
  const settledAt = since + idleAfterMs;
  if (nowMs < settledAt) return { kind: "waits", againAt: settledAt };
  return endIn(reader, open, nowMs) ?? { kind: "idle", source: "transcript", at: since };
}

/** Undefined where the agent keeps no such files. */
function foldersOf({ transcripts, signs }: OpenSession): string[] | undefined {
  const folders = transcripts.flatMap((transcript) => signs.status?.folderOf(transcript) ?? []);
  return folders.length === 0 ? undefined : folders.slice(0, 1);
}
