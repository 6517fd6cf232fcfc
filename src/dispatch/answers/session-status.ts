// What an agent notes about its running sessions in small files: whether each waits for the person.
import { join } from "node:path";
import type { SessionStatus, StatusFiles } from "../../agents/answer-signs.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import { listNames } from "../../system/files/files.ts";
import { readStartWithoutLinks } from "../../system/files/read.ts";
import { parsedObject, type QuestionState } from "./calls-in-transcript.ts";

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

/** The agent writes one small file for each running process; more or larger ones are not its own. */
const maxFileBytes = 64 * 1024;
const maxFiles = 200;

function readStatuses(folder: string, { read }: StatusFiles): Map<string, SessionStatus> {
  const statuses = new Map<string, SessionStatus>();
  for (const name of namesIn(folder)) {
    const status = statusIn(join(folder, name), read);
    // A process that was killed leaves its file behind, and another one may have resumed the session.
    if (status && status.since >= (statuses.get(status.session)?.since ?? 0)) statuses.set(status.session, status);
  }
  return statuses;
}

function namesIn(folder: string): string[] {
  try {
    return listNames(folder)
      .filter((name) => name.endsWith(".json"))
      .slice(-maxFiles);
  } catch {
    return [];
  }
}

function statusIn(path: string, read: StatusFiles["read"]): SessionStatus | undefined {
  try {
    const file = parsedObject(readStartWithoutLinks(path, maxFileBytes)?.toString("utf8") ?? "");
    return file && read(file);
  } catch {
    // The agent's folder may hold what is no file, or what only others may read.
    return undefined;
  }
}
