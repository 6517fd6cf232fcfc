// How an agent's transcripts are found and read: only they name tokens and models.
import type { AutonomyLevel, ClientType, TokenUse, Usage, UsageEntry } from "../../model/usage.ts";
import type { FolderPlace, Payload } from "./agent.ts";
import { cleanName } from "./tool-usage.ts";

export interface TranscriptFormat {
  /** The folders hold transcripts at any depth. */
  folders: readonly FolderPlace[];
  /** `path` is below the folder, with forward slashes. */
  formOf(path: string): TranscriptForm | undefined;
  /** One line, document or row, in order. `memory` is the file's, and outlives the process. */
  read(entry: Payload, memory: TranscriptMemory, path: string): UsageEntry[];
}

export type TranscriptForm =
  /** One JSON object a line, added at the end. */
  | { kind: "lines" }
  /** One JSON object. */
  | { kind: "document" }
  /** Each query has one parameter: the largest `changed` of the last reading. */
  | { kind: "sqlite"; queries: readonly string[] };

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

/** Milliseconds since the epoch. */
export function timeOf(value: unknown): number | undefined {
  const atMs = typeof value === "string" ? Date.parse(value) : value;
  // Up to the year 9999.
  return typeof atMs === "number" && atMs > 0 && atMs < 253_402_300_800_000 ? atMs : undefined;
}

/** 0 for what is no count. */
export function tokensOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** Undefined without tokens or a model. */
export function tokenUse(model: string | undefined, counts: Omit<TokenUse, "model">): TokenUse | undefined {
  const sum = counts.input + counts.output + counts.cacheRead + counts.cacheWrite;
  return model === undefined || sum === 0 ? undefined : { model: cleanName(model), ...counts };
}
