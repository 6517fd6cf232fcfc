// Follows the transcripts of this machine's agents and counts what is new in them.
import { join } from "node:path";
import type { Payload } from "../../../../agents/dialect/agent.ts";
import {
  type TableQuery,
  type TranscriptForm,
  type TranscriptFormat,
  type TranscriptMemory,
  unknownKind,
} from "../../../../agents/dialect/transcript.ts";
import { transcripts } from "../../../../agents/transcripts.ts";
import { placeFolder } from "../../../../agents/hook-setup.ts";
import { codeOf } from "../../../../model/errors.ts";
import type { UsageEntry } from "../../../../model/usage.ts";
import { othersTurn, type Clock } from "../../../../system/clock.ts";
import type { Environment } from "../../../../system/environment.ts";
import {
  type FileStats,
  statIfThere,
  walkFiles,
  copyIfThere,
  inTemporaryFolder,
} from "../../../../system/files/files.ts";
import { readBytesIfThere, readIfThere } from "../../../../system/files/read.ts";
import { zstdDecompressSync } from "../../../../system/files/zstd.ts";
import { readLinesFrom } from "../../../../system/files/read-lines.ts";
import { addCounts, countsOfTokens, countsOfUsage, keyOf, type Counts } from "../analytics/counts.ts";
import { type Database, openDatabase, type Row } from "../store/database.ts";
import type { UsageObservation } from "../analytics/observation.ts";
import { ingest, readCursor } from "../store/ingest.ts";
import { printableLine } from "../../../../model/text.ts";
import { asObject, parseJson } from "../../../../model/json.ts";

export interface TranscriptSource {
  database: Database;
  clock: Clock;
  env: Environment;
  home: string;
  /** Whose transcripts they are. */
  user: string;
  signal: AbortSignal;
  /** Files that were last changed before this time are passed over, in milliseconds since the epoch. */
  changedSinceMs?: number | undefined;
  /** The moment as a clock on the wall shows it, where days are not those of UTC. */
  wallMs?: (atMs: number) => number;
  /** Hears of each file that was found and not read, or not wholly. */
  onUnread?: (unread: UnreadFile) => void;
}

export interface UnreadFile {
  agentId: string;
  path: string;
  /** What follows "3 files of Codex, ". */
  reason: string;
}

/** `skip`: what is there now is the past, and is not counted. */
export type TranscriptMode = "count" | "skip";

/** A longer line holds a picture, and no tokens. */
const sizes = { chunkBytes: 1024 * 1024, maxLineBytes: 16 * 1024 * 1024 };
const maxDocumentBytes = 64 * 1024 * 1024;
const maxDecompressedBytes = 256 * 1024 * 1024;

interface FileCursor {
  mtimeMs: number;
  bytes: number;
  /** How far a file of lines has been read. */
  offset?: number;
  /** How new a database's newest row was, for each query. */
  changed?: number[];
  memory?: TranscriptMemory;
}

interface TranscriptFile {
  agentId: string;
  format: TranscriptFormat;
  form: TranscriptForm;
  path: string;
  /** Below its folder. */
  name: string;
  cursorName: string;
  stats: FileStats;
}

/**
 * Reads what is new in every transcript; returns how many things it counted. A file that cannot be read stops no other:
 * the first such error is thrown at the end.
 */
export async function readTranscripts(source: TranscriptSource, mode: TranscriptMode = "count"): Promise<number> {
  let added = 0;
  const errors: unknown[] = [];
  for (const file of findTranscripts(source)) {
    if (source.signal.aborted) break;
    const cursor = readCursor(source.database, file.cursorName) as FileCursor | undefined;
    const { mtimeMs, bytes } = file.stats;
    if (mtimeMs < (source.changedSinceMs ?? 0)) continue;
    if (cursor?.mtimeMs === mtimeMs && cursor.bytes === bytes) continue;
    if (mode === "skip") {
      const changed = file.form.kind === "sqlite" ? file.form.queries.map(() => source.clock.now()) : undefined;
      ingest(source.database, [], [{ name: file.cursorName, value: { mtimeMs, bytes, offset: bytes, changed } }]);
      continue;
    }
    try {
      added += await readFile(source, file, cursor);
    } catch (error) {
      if (error instanceof Unreadable) unread(source, file, error.message);
      else errors.push(error);
    }
    // A long past must not keep requests waiting.
    await othersTurn();
  }
  if (errors.length > 0) throw errors[0];
  return added;
}

/** Everything is read again from its start; what has been counted already does not count again. */
export function forgetTranscriptCursors(database: Database): void {
  database.run("DELETE FROM cursors WHERE name LIKE 'transcript:%'");
}

function* findTranscripts({ env, home }: TranscriptSource): Generator<TranscriptFile> {
  for (const [agentId, format] of Object.entries(transcripts)) {
    for (const place of format.folders) {
      const folder = placeFolder(place, env, home);
      for (const name of walkFiles(folder)) {
        const form = format.formOf(name);
        const path = join(folder, name);
        const stats = form === undefined ? undefined : statIfThere(path);
        if (form === undefined || stats === undefined) continue;
        // A compressed file goes on where the reading of the plain one ended.
        const plain = form.kind === "lines" && form.isCompressed === true ? path.replace(/\.zst$/, "") : path;
        yield { agentId, format, form, path, name, cursorName: `transcript:${agentId}:${plain}`, stats };
      }
    }
  }
}

async function readFile(
  source: TranscriptSource,
  file: TranscriptFile,
  cursor: FileCursor | undefined,
): Promise<number> {
  const { form, stats, path } = file;
  const { mtimeMs, bytes } = stats;
  if (form.kind === "sqlite") {
    const read = await queryCopy(path, form.queries, cursor?.changed ?? [], source.clock.now());
    if (read === undefined) throw new Unreadable("which SQLite cannot read");
    const { newer } = read;
    if (newer.length > 0)
      unread(source, file, `with tables that hookbell does not know: ${newer.map(printableLine).join(", ")}`);
    return count(source, file, read.rows, { mtimeMs, bytes, changed: read.changed });
  }
  if (form.kind === "document") {
    if (bytes > maxDocumentBytes) throw new Unreadable(tooLarge);
    const text = readIfThere(path);
    return count(source, file, text === undefined ? [] : parsed(source, file, [text]), { mtimeMs, bytes });
  }
  return form.isCompressed === true ? readCompressed(source, file, cursor) : await readLines(source, file, cursor);
}

/** A file that this hookbell or this Node cannot read. A later try rarely succeeds, and costs little. */
class Unreadable extends Error {}

const tooLarge = "too large";

function unread(source: TranscriptSource, { agentId, path }: TranscriptFile, reason: string): void {
  source.onUnread?.({ agentId, path, reason });
}

/** All at once: such a file does not change any more. */
function readCompressed(source: TranscriptSource, file: TranscriptFile, cursor: FileCursor | undefined): number {
  if (zstdDecompressSync === undefined) {
    throw new Unreadable("compressed with zstd, which needs Node 22.15 or newer");
  }
  const { mtimeMs, bytes } = file.stats;
  if (bytes > maxDocumentBytes) throw new Unreadable(tooLarge);
  const packed = readBytesIfThere(file.path);
  if (packed === undefined) return 0;
  let text: Buffer;
  try {
    text = zstdDecompressSync(packed, { maxOutputLength: maxDecompressedBytes });
  } catch (error) {
    throw new Unreadable(codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? tooLarge : "damaged");
  }
  // Node 22 says nothing of a file that ends too early.
  if (text.length === 0 && packed.length > 0) throw new Unreadable("damaged");
  const isContinued = cursor?.offset !== undefined && cursor.offset <= text.length;
  const start = isContinued ? (cursor.offset ?? 0) : 0;
  const lines = text.toString("utf8", start).split("\n");
  const memory = isContinued ? (cursor.memory ?? {}) : {};
  return count(source, file, parsed(source, file, lines), { mtimeMs, bytes, offset: text.length, memory });
}

async function readLines(
  source: TranscriptSource,
  file: TranscriptFile,
  cursor: FileCursor | undefined,
): Promise<number> {
  const { mtimeMs, bytes } = file.stats;
  // A file that has become shorter is another one.
  const isContinued = cursor !== undefined && (cursor.offset ?? 0) <= bytes;
  const memory = isContinued ? (cursor.memory ?? {}) : {};
  let offset = isContinued ? (cursor.offset ?? 0) : 0;
  let added = 0;
  for (;;) {
    const read = readLinesFrom(file.path, offset, sizes);
    if (read === undefined) return added;
    offset = read.offset;
    const isEnd = !read.hasMore || source.signal.aborted;
    // Only a file that was read to its end is passed over.
    const seen = isEnd && !source.signal.aborted ? { mtimeMs, bytes } : { mtimeMs: 0, bytes: 0 };
    added += count(source, file, parsed(source, file, read.lines), { ...seen, offset, memory });
    if (isEnd) return added;
    await othersTurn();
  }
}

function count(
  source: TranscriptSource,
  file: TranscriptFile,
  entries: readonly Payload[],
  cursor: FileCursor,
): number {
  const memory = cursor.memory ?? {};
  const kinds = new Set<string>();
  const odd = new Set<string>();
  const observations = entries.flatMap((entry) => {
    const seen = file.format.read(entry, memory, file.name);
    const kind = seen.length === 0 ? unknownKind(entry, file.format) : undefined;
    if (kind !== undefined) kinds.add(kind);
    for (const { tokens } of seen) for (const each of tokens?.unreadable ?? []) odd.add(wordsOf[each]);
    return seen.map((each) => observationOf(each, file.agentId, source));
  });
  for (const kind of kinds) unread(source, file, `with entries that hookbell does not know: "${kind}"`);
  if (odd.size > 0) unread(source, file, `with token counts that are no numbers: ${[...odd].join(", ")}`);
  return ingest(source.database, observations, [{ name: file.cursorName, value: cursor }]);
}

const wordsOf = { input: "input", output: "output", cacheRead: "cache read", cacheWrite: "cache write" };

function observationOf(
  entry: UsageEntry,
  agent: string,
  { user, wallMs = (atMs) => atMs }: TranscriptSource,
): UsageObservation {
  const { id, formerId, session, client, isGrowing } = entry;
  const atMs = wallMs(entry.atMs);
  const counts: Counts = entry.usage === undefined ? {} : countsOfUsage(entry.usage);
  if (entry.isPrompt === true) counts.prompt = 1;
  if (entry.isAnswer === true) counts.answer = 1;
  if (entry.thinkingModel !== undefined) counts[keyOf("thinking", entry.thinkingModel)] = 1;
  if (entry.tokens !== undefined) addCounts(counts, countsOfTokens(entry.tokens));
  return { id, formerId, atMs, source: "transcript", agent, session, user, client, counts, isGrowing };
}

/** What is no JSON object is named, and left out. */
function parsed(source: TranscriptSource, file: TranscriptFile, texts: readonly string[]): Payload[] {
  const entries = texts.map((text) => asObject(parseJson(text))).filter((each) => each !== undefined);
  const filled = texts.filter((text) => text.trim() !== "").length;
  if (entries.length < filled)
    unread(source, file, file.form.kind === "lines" ? "with lines that are no JSON" : "whose text is no JSON");
  return entries;
}

interface RowsRead {
  rows: Payload[];
  /** The largest `changed` of each query's rows. */
  changed: number[];
  /** Tables by whose names they may have tokens, and that no query reads. */
  newer: string[];
}

/** Undefined when the copy cannot be read; a later try may succeed. */
async function queryCopy(
  path: string,
  queries: readonly TableQuery[],
  since: readonly number[],
  nowMs: number,
): Promise<RowsRead | undefined> {
  return await inTemporaryFolder(async (folder) => {
    const copy = join(folder, "copy.db");
    // Copy the log last: what it repeats of the database is harmless, but what it lacks is lost.
    for (const suffix of ["", "-wal"]) copyIfThere(`${path}${suffix}`, `${copy}${suffix}`);
    try {
      const database = await openDatabase(copy, nowMs);
      try {
        const names = database
          .all("SELECT name FROM sqlite_master WHERE type = 'table'")
          .map(({ name }) => String(name));
        const tables = new Set(names);
        const texts = queries.map((query) => query(tables));
        const results = texts.map((sql, index) => (sql === undefined ? [] : database.all(sql, since[index] ?? 0)));
        const changed = results.map((rows, index) => largest(rows, since[index] ?? 0));
        const isRead = (name: string): boolean => texts.some((sql) => sql?.includes(` ${name} `) === true);
        const hasRows = (name: string): boolean =>
          database.get(`SELECT 1 FROM "${name.replaceAll('"', '""')}" LIMIT 1`) !== undefined;
        const newer = names.filter((name) => /message|usage|token/i.test(name) && !isRead(name) && hasRows(name));
        return { rows: results.flat(), changed, newer };
      } finally {
        database.close();
      }
    } catch {
      return undefined;
    }
  });
}

function largest(rows: readonly Row[], least: number): number {
  return rows.reduce((most, { changed }) => Math.max(most, typeof changed === "number" ? changed : 0), least);
}
