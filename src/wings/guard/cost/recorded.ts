// The times of hooks that agents have recorded.
import { placeFolder } from "../../../agents/hook-setup.ts";
import { objectOf, parseJson } from "../../../model/json.ts";
import { tryToStat, walkFiles } from "../../../system/files/files.ts";
import { readLinesFrom } from "../../../system/files/read-lines.ts";
import { join } from "node:path";
import type { Machine } from "../launches/find.ts";
import { hookRecords, isWhole, type HookRecords, type RecordedCall } from "./records.ts";

const chunkBytes = 1024 * 1024;
const maxLineBytes = 16 * 1024 * 1024;
/** More is not read, of all agents together; the newest files come first. */
const maxBytes = 512 * 1024 * 1024;

interface RecordFile {
  agent: string;
  records: HookRecords;
  path: string;
  bytes: number;
  mtimeMs: number;
}

export function* recordedCalls(
  machine: Pick<Machine, "env" | "home">,
  since: number,
): Generator<RecordedCall & { agent: string }> {
  for (const file of recentFiles(machine, since)) {
    for (const call of callsIn(file)) {
      if (isWhole(call) && call.at >= since) yield { ...call, agent: file.agent };
    }
  }
}

function recentFiles({ env, home }: Pick<Machine, "env" | "home">, since: number): RecordFile[] {
  const files = Object.entries(hookRecords).flatMap(([agent, records]) =>
    records.folders.flatMap((place) => {
      const folder = placeFolder(place, env, home);
      return [...walkFiles(folder)].flatMap((name): RecordFile[] => {
        const path = join(folder, name);
        const stats = name.endsWith(".jsonl") ? tryToStat(path) : undefined;
        return stats === undefined || stats.mtimeMs < since ? [] : [{ agent, records, path, ...stats }];
      });
    }),
  );
  let left = maxBytes;
  return files.sort((one, other) => other.mtimeMs - one.mtimeMs).filter(({ bytes }) => (left -= bytes) >= 0);
}

function* callsIn({ path, bytes, records }: RecordFile): Generator<RecordedCall> {
  const read = records.reader();
  let offset = 0;
  while (offset < bytes) {
    const part = readLinesFrom(path, offset, { chunkBytes, maxLineBytes });
    if (part === undefined) return;
    for (const line of part.lines) {
      if (records.marks.some((mark) => line.includes(mark))) yield* read(objectOf(parseJson(line)));
    }
    if (!part.hasMore || part.offset === offset) return;
    ({ offset } = part);
  }
}
