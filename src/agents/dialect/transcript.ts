// How an agent's transcripts are found and read: only they name tokens and models.
import type { AutonomyLevel, ClientType, TokenUse, Usage, UsageEntry } from "../../model/usage.ts";
import type { FolderPlace, Payload } from "./agent.ts";
import { cleanName } from "./tool-usage.ts";
import { objectOf, textOf } from "../../model/json.ts";

export interface TranscriptFormat {
  /** The folders hold transcripts at any depth. */
  folders: readonly FolderPlace[];
  /** `path` is below the folder, with forward slashes. */
  formOf(path: string): TranscriptForm | undefined;
  /** One line, document or row, in order. `memory` is the file's, and outlives the process. */
  read(entry: Payload, memory: TranscriptMemory, path: string): UsageEntry[];
  /** Matches the kinds of entries whose tokens are counted, or rightly not. */
  knownKinds: RegExp;
}

export type TranscriptForm =
  /** One JSON object a line, added at the end. */
  | { kind: "lines"; isCompressed?: boolean }
  /** One JSON object. */
  | { kind: "document" }
  /** Each query has one parameter: the largest `changed` of the last reading. */
  | { kind: "sqlite"; queries: readonly TableQuery[] };

/** Undefined if the database lacks its table. */
export type TableQuery = (tables: ReadonlySet<string>) => string | undefined;

/** What later lines of a file refer to. Plain JSON. */
export interface TranscriptMemory {
  session?: string;
  model?: string;
  client?: ClientType;
  level?: AutonomyLevel;
  /** What each call counts as if it succeeds, by the call's id. */
  calls?: Record<string, Usage>;
  /** A subagent's transcript: a person wrote none of the prompts. The stored memory calls it a helper. */
  isHelper?: boolean;
  /** A format's own. */
  mark?: string;
  /** Copied lines of another session come first. Times are in milliseconds since the epoch. */
  past?: { sinceMs: number; lastMs: number; hasTurns?: boolean };
  /** The largest sums so far, where a file has sums instead of single counts. */
  total?: Record<string, number>;
}

const maxCalls = 200;

export function rememberCall(memory: TranscriptMemory, id: string, usage: Usage): void {
  if (Object.keys(usage).length === 0) return;
  const others = Object.entries(memory.calls ?? {}).slice(1 - maxCalls);
  memory.calls = Object.fromEntries([...others, [id, usage]]);
}

export function takeCall(memory: TranscriptMemory, id: string | undefined): Usage | undefined {
  if (id === undefined || memory.calls === undefined || !Object.hasOwn(memory.calls, id)) return undefined;
  const { [id]: usage, ...others } = memory.calls;
  memory.calls = others;
  return usage;
}

/**
 * Names the kind of an entry that has tokens but no known kind, as a newer release of the agent may write it: these tokens are
 * not counted.
 */
export function unknownKind(entry: Payload, { knownKinds }: TranscriptFormat): string | undefined {
  const type = textOf(entry.type) ?? textOf(entry.role);
  if (type === undefined) return undefined;
  const kind = type === "event_msg" ? `${type} ${textOf(objectOf(entry.payload).type)}` : type;
  return knownKinds.test(kind) || !holdsTokens(entry, 5) ? undefined : cleanName(kind);
}

const tokenKey = /^(?:input|output|prompt|completion|candidates|total)_?tokens?(?:_?count)?$/i;

function holdsTokens(value: unknown, depth: number): boolean {
  if (depth === 0 || typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    const isCount = tokenKey.test(key) && tokensOf(inner) > 0;
    const counts = key === "tokens" ? objectOf(inner) : {};
    return isCount || tokensOf(counts.input) + tokensOf(counts.output) > 0 || holdsTokens(inner, depth - 1);
  });
}

/** Milliseconds since the epoch. */
export function timeOf(value: unknown): number | undefined {
  const atMs = typeof value === "string" ? Date.parse(value) : value;
  // Up to the year 9999.
  return typeof atMs === "number" && atMs > 0 && atMs < 253_402_300_800_000 ? atMs : undefined;
}

/** 0 for a count that is missing, NaN for what is there and is no count. */
export function tokensOf(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
}

const tokenKinds = ["input", "output", "cacheRead", "cacheWrite"] as const;
export type TokenCounts = Record<(typeof tokenKinds)[number], number>;

/** Undefined without tokens or a model. Counts that are NaN are named as unreadable. */
export function tokenUse(model: string | undefined, counts: TokenCounts): TokenUse | undefined {
  const unreadable = tokenKinds.filter((kind) => Number.isNaN(counts[kind]));
  const isEmpty = tokenKinds.every((kind) => counts[kind] === 0);
  if (model === undefined || isEmpty) return undefined;
  const use: TokenUse = { model: cleanName(model), ...counts };
  if (unreadable.length === 0) return use;
  for (const kind of unreadable) use[kind] = 0;
  return { ...use, unreadable };
}
