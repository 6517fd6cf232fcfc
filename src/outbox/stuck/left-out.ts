// What dispatchers got stuck in: files that are left out, payloads and deliveries that are tried once more, and old dispatchers that
// may still be stuck.
import { join } from "node:path";
import * as z from "zod";
import { tryToStat } from "../../system/files/files.ts";
import { readJson, watchReading, type FileState } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";
import type { Layout } from "../layout.ts";
import type { Note } from "./note.ts";

const fileSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    /** How the file was when it was left out; absent where it grows, so that a change of it means nothing. */
    state: z.object({ mtimeMs: z.number(), bytes: z.number() }).optional(),
    /** What the dispatcher was at. */
    work: z.string().optional(),
  }),
);

const formerSchema = z.lazy(() =>
  z.object({
    holder: z.object({
      token: z.string(),
      pid: z.number(),
      host: z.string(),
      pidSpace: z.string(),
      start: z.string().optional(),
      boot: z.string().optional(),
      bornAt: z.number().optional(),
      startedAt: z.number(),
    }),
    cpuMs: z.number(),
  }),
);

const recordSchema = z.lazy(() =>
  z.object({
    files: z.array(fileSchema).catch([]),
    /** Payloads and deliveries that are tried once more. */
    again: z.array(z.string()).catch([]),
    /** They lost their lease without an end, and the processor time that they had used by then. */
    former: z.array(formerSchema).catch([]),
  }),
);

export type StuckRecord = z.infer<typeof recordSchema>;
export type FormerHolder = z.infer<typeof formerSchema>;

/** Older entries make room. */
const maxEntries = 50;

function pathOf(layout: Layout): string {
  return join(layout.root, "stuck.json");
}

export function readStuckRecord(layout: Layout): StuckRecord {
  return readJson(pathOf(layout), recordSchema) ?? { files: [], again: [], former: [] };
}

export function writeStuckRecord(layout: Layout, { files, again, former }: StuckRecord): void {
  const bounded = {
    files: files.slice(-maxEntries),
    again: again.slice(-maxEntries),
    former: former.slice(-maxEntries),
  };
  writeWhole(pathOf(layout), JSON.stringify(bounded));
}

/** A dispatcher that was ended, for the person. */
export interface EndedStuck {
  pid: number;
  /** What it was at, such as `incoming/<file>`; undefined where it is not known. */
  work?: string | undefined;
  file?: string | undefined;
  /** The work was tried twice, and has been moved to rejected/. */
  isGivenUp: boolean;
}

/** What follows from a dispatcher that hung. */
export interface Consequence {
  record: StuckRecord;
  /** Such as `incoming/<file>`: it hung with it twice. */
  givenUp?: string;
  leftOut?: string;
}

/**
 * A file is left out first, and what the dispatcher did with it is tried once more. If it hangs again, the file was not the cause.
 * `state` is the noted file's.
 */
export function afterStuck(
  record: StuckRecord,
  { work, file, grows }: Pick<Note, "work" | "file" | "grows">,
  state: FileState | undefined,
): Consequence {
  if (work !== undefined && record.again.includes(work)) {
    const files = record.files.filter((each) => each.work !== work);
    return { record: { ...record, files, again: record.again.filter((each) => each !== work) }, givenUp: work };
  }
  const again = work === undefined ? record.again : [...record.again, work];
  if (file === undefined) return { record: { ...record, again } };
  const entry = { path: file, ...(grows === true || state === undefined ? {} : { state }), ...(work && { work }) };
  const files = [...record.files.filter(({ path }) => path !== file), entry];
  return { record: { ...record, files, again }, leftOut: file };
}

/** From now on, this process reads none of these files as long as they are as they were. */
export function leaveOut(layout: Layout): void {
  const { files } = readStuckRecord(layout);
  const byPath = new Map(files.map(({ path, state }) => [path, state] as const));
  watchReading({
    leavesOut(path, now) {
      if (!byPath.has(path)) return false;
      const then = byPath.get(path);
      return then === undefined || (then.mtimeMs === now.mtimeMs && then.bytes === now.bytes);
    },
  });
}

export function stateOf(path: string | undefined): FileState | undefined {
  const stats = path === undefined ? undefined : tryToStat(path);
  return stats && { mtimeMs: stats.mtimeMs, bytes: stats.bytes };
}
