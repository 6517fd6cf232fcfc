// Whether a session still waits for the person, by what its agent notes about its running sessions.
import type { SessionStatus, StatusFiles } from "../../agents/answer-signs.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import { readStatuses } from "../understand/status-files.ts";
import type { QuestionState } from "./calls-in-transcript.ts";

export interface StatusWatch {
  /** `unknown`: there is no status, or it was not seen to wait since the questions came. */
  look(
    files: StatusFiles | undefined,
    session: Pick<SessionRecord, "session" | "transcript">,
    questions: readonly OpenEvent[],
    nowMs: number,
  ): QuestionState;
}

/** Between two questions the agent may not wait for an instant. */
const settledAfterMs = 500;

export function createStatusWatch(): StatusWatch {
  /** By session: when it was last seen to wait. An agent may show its question a second after its hook. */
  const waitedAt = new Map<string, number>();
  let readAt = -Infinity;
  const folders = new Map<string, ReadonlyMap<string, SessionStatus>>();

  /** Reads each folder once a look. */
  function statusesIn(folder: string, files: StatusFiles, nowMs: number): ReadonlyMap<string, SessionStatus> {
    if (readAt !== nowMs) folders.clear();
    readAt = nowMs;
    const statuses = folders.get(folder) ?? readStatuses(folder, files);
    folders.set(folder, statuses);
    return statuses;
  }

  return {
    look(files, { session, transcript }, questions, nowMs) {
      const folder = transcript === undefined ? undefined : files?.folderOf(transcript);
      const status =
        files === undefined || folder === undefined ? undefined : statusesIn(folder, files, nowMs).get(session);
      if (status === undefined) return "unknown";
      if (status.isWaiting) waitedAt.set(session, nowMs);
      if (status.isWaiting) return "waits";
      const seenAt = waitedAt.get(session) ?? -Infinity;
      if (questions.some(({ at }) => seenAt <= at)) return "unknown";
      if (nowMs - status.since < settledAfterMs) return "waits";
      waitedAt.delete(session);
      return "answered";
    },
  };
}
