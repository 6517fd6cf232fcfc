// How an agent's transcripts are found and read. They are the only place that tells of tokens and models.
import type { AutonomyLevel, ClientType, TokenUse, Usage, UsageEntry } from "../../model/usage.ts";
import type { FolderPlace } from "../wiring.ts";
import type { Payload } from "./agent.ts";
import { cleanName } from "./tool-usage.ts";
import { objectOf } from "./values.ts";

export interface TranscriptFormat {
  /** Folders that hold transcripts, at any depth. */
  folders: readonly FolderPlace[];
  /** `path` is the part below the folder, with forward slashes. */
  formOf(path: string): TranscriptForm | undefined;
  /** One line, document or row at a time, in their order. `memory` is the file's; it outlives the process. */
  read(entry: Payload, memory: TranscriptMemory, path: string): UsageEntry[];
}

export type TranscriptForm =
  /** One JSON object a line, only ever added at the end. */
  | { kind: "lines" }
  /** One JSON object, written anew each time. */
  | { kind: "document" }
  /** A SQLite database. Each query has one parameter, the largest `changed` that its rows had at the last reading. */
  | { kind: "sqlite"; queries: readonly string[] };

/** What has been read of a file so far that later lines refer to. Plain JSON. */
export interface TranscriptMemory {
  session?: string;
  model?: string;
  client?: ClientType;
  level?: AutonomyLevel;
  /** What calls do when they succeed, by the call's id. */
  calls?: Record<string, Usage>;
  /** The session is a helper's, so its prompts are not a person's. */
  isHelper?: boolean;
  /** Text that a format keeps for itself. */
  mark?: string;
}

/** A session has no more calls than this under way at once. */
const maxCalls = 200;

export function rememberCall(memory: TranscriptMemory, id: string, usage: Usage): void {
  if (Object.keys(usage).length === 0) return;
  const others = Object.entries(memory.calls ?? {}).slice(1 - maxCalls);
  memory.calls = Object.fromEntries([...others, [id, usage]]);
}

/** What a call did that has ended; nothing when it failed or is not known. */
export function takeCall(memory: TranscriptMemory, id: string | undefined): Usage | undefined {
  if (id === undefined || memory.calls === undefined || !Object.hasOwn(memory.calls, id)) return undefined;
  const { [id]: usage, ...others } = memory.calls;
  memory.calls = others;
  return usage;
}

/** Milliseconds since the epoch of a text or a number; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const atMs = typeof value === "string" ? Date.parse(value) : value;
  // Year 9999: what is later is no time.
  return typeof atMs === "number" && atMs > 0 && atMs < 253_402_300_800_000 ? atMs : undefined;
}

/** A count of tokens; 0 for what is none. */
export function tokensOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** Undefined without any token, or without a model. */
export function tokenUse(model: string | undefined, counts: Omit<TokenUse, "model">): TokenUse | undefined {
  const sum = counts.input + counts.output + counts.cacheRead + counts.cacheWrite;
  return model === undefined || sum === 0 ? undefined : { model: cleanName(model), ...counts };
}

/** The objects of an array; nothing of what is none. */
export function objectsOf(value: unknown): Payload[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
