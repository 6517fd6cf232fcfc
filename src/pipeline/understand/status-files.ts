// What an agent notes about its running sessions in small files: whether each waits, and where else it can be opened.
import { join } from "node:path";
import type { SessionStatus, StatusFiles } from "../../agents/answer-signs.ts";
import type { Payload } from "../../agents/dialect/agent.ts";
import { signsOf } from "./transcript.ts";
import { listNames, tryToStat } from "../../system/files/files.ts";
import { readStartWithoutLinks } from "../../system/files/read.ts";
import { objectOf } from "../../model/json.ts";
import type { Layout } from "../../outbox/layout.ts";

/** The agent writes one small file for each running process; more or larger ones are not its own. */
const maxFileBytes = 64 * 1024;
const maxFiles = 200;

export type KnownFiles = Map<string, { stamp: string; status: SessionStatus | undefined }>;

/** The keys are the sessions' ids. Only files that have changed since they were put into `known` are read. */
export function readStatuses(
  folder: string,
  { read }: Pick<StatusFiles, "read">,
  known: KnownFiles,
): Map<string, SessionStatus> {
  const statuses = new Map<string, SessionStatus>();
  if (known.size > maxFiles) known.clear();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const { mtimeMs: changedAt = 0, bytes = 0 } = tryToStat(path) ?? {};
    const stamp = `${changedAt} ${bytes}`;
    const isKnown = known.get(path)?.stamp === stamp;
    const status = isKnown ? known.get(path)?.status : statusIn(path, (file) => read(file, changedAt));
    known.set(path, { stamp, status });
    // A process that was killed leaves its file behind, and another one may have resumed the session.
    if (status && status.since >= (statuses.get(status.session)?.since ?? 0)) statuses.set(status.session, status);
  }
  return statuses;
}

/** Every event of a session asks for its link. */
const knownForLinks = (): KnownFiles => new Map();

/** The page that opens the session elsewhere, while the agent offers one. */
export function sessionLink(
  layout: Layout,
  agent: string,
  session: string,
  transcript: string | undefined,
): string | undefined {
  const files = signsOf(agent)?.status;
  const folder = transcript === undefined ? undefined : files?.folderOf(transcript);
  return files === undefined || folder === undefined
    ? undefined
    : readStatuses(folder, files, layout.memory(knownForLinks)).get(session)?.link;
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

function statusIn(path: string, read: (file: Payload) => SessionStatus | undefined): SessionStatus | undefined {
  try {
    const file: unknown = JSON.parse(readStartWithoutLinks(path, maxFileBytes)?.toString("utf8") ?? "");
    return read(objectOf(file));
  } catch {
    // The agent's folder may hold what is no file, no JSON, or what only others may read.
    return undefined;
  }
}
