// What an agent notes about its running sessions in small files: whether each waits for the person.
import { join } from "node:path";
import type { SessionStatus, StatusFiles } from "../../agents/dialect/answer-signs.ts";
import type { OpenEvent } from "../../sessions/state.ts";
import { listNames } from "../../system/files/files.ts";
import { readStartWithoutLinks } from "../../system/files/read.ts";
import { parsedObject, type QuestionState } from "./calls-in-transcript.ts";

/** By the sessions' ids. */
export type ReadStatuses = (files: StatusFiles | undefined, transcript: string) => ReadonlyMap<string, SessionStatus>;

/** One look's: it reads each folder once. */
export function createStatusReader(): ReadStatuses {
  const known = new Map<string, ReadonlyMap<string, SessionStatus>>();
  return (files, transcript) => {
    const folder = files?.folderOf(transcript);
    if (files === undefined || folder === undefined) return new Map();
    const statuses = known.get(folder) ?? readStatuses(folder, files);
    known.set(folder, statuses);
    return statuses;
  };
}

/** Larger and further files are not the agent's. */
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

/** Between two questions the agent may not wait for an instant. */
const settledAfterMs = 500;

/** `unknown`: the status is older than the question, or there is none. */
export function stateByStatus(
  status: SessionStatus | undefined,
  questions: readonly OpenEvent[],
  nowMs: number,
): QuestionState {
  if (status === undefined) return "unknown";
  if (status.isWaiting) return "waits";
  if (questions.some(({ at }) => status.since <= at)) return "unknown";
  return nowMs - status.since < settledAfterMs ? "waits" : "answered";
}
