// Codex's rollout files, one for each thread. Forked threads and subagents repeat what came before.
import type { AutonomyLevel, UsageEntry } from "../../../model/usage.ts";
import type { Payload } from "../../dialect/agent.ts";
import { hasFailed, usageOfCall, usageOfResult } from "../../dialect/tool-usage.ts";
import {
  rememberCall,
  takeCall,
  timeOf,
  tokensOf,
  tokenUse,
  type TranscriptFormat,
  type TranscriptMemory,
} from "../../dialect/transcript.ts";
import { objectOf, parseJson, textOf } from "../../../model/json.ts";

/** The keys say how Codex asks before it acts. */
const levels: Readonly<Record<string, AutonomyLevel>> = {
  never: "auto-high",
  "on-failure": "auto-medium",
  "on-request": "auto-low",
  untrusted: "manual",
};

/** Older releases do not write the model's name. */
const unnamedModel = "gpt-5";
/** Marks a file with an id for each response. */
const hasRecords = "records";
/** Turns without a time in their ids: a pause this long, in which a person types or a model answers, ends a copied past. */
const pauseMs = 3000;

export const codexTranscript: TranscriptFormat = {
  folders: [
    { path: ".codex/sessions", moved: { env: "CODEX_HOME", into: "sessions" } },
    { path: ".codex/archived_sessions", moved: { env: "CODEX_HOME", into: "archived_sessions" } },
  ],
  formOf(path) {
    // Codex compresses files that are older than seven days.
    if (!/(?:^|\/)rollout-[^/]+\.jsonl(?:\.zst)?$/.test(path)) return undefined;
    return { kind: "lines", isCompressed: path.endsWith(".zst") };
  },
  knownKinds:
    /^(?:session_meta|turn_context|token_usage_record|response_item|compacted|event_msg (?:token_count|item_completed|task_complete|(?:mcp|dynamic)_tool_call_\w+))$/,
  read(line, memory) {
    const atMs = timeOf(line.timestamp);
    const payload = objectOf(line.payload);
    if (atMs === undefined) return [];
    if (line.type === "session_meta") startThread(memory, payload, atMs);
    if (line.type === "turn_context") {
      memory.model = textOf(payload.model) ?? memory.model;
      const policy = textOf(payload.approval_policy) ?? "";
      memory.level = (Object.hasOwn(levels, policy) ? levels[policy] : undefined) ?? memory.level;
    }
    if (memory.session === undefined) return [];
    if (isPast(memory, line, payload, atMs)) {
      // The thread's own counts go on from there.
      if (payload.type === "token_count") memory.total = known(totalOf(payload)) ?? memory.total;
      return [];
    }
    const base: Base = { atMs, session: memory.session, client: memory.client };
    if (line.type === "token_usage_record") return recordEntries(payload, base, memory);
    if (line.type === "event_msg") return eventEntries(payload, base, memory);
    return line.type === "response_item" ? itemEntries(payload, base, memory) : [];
  },
};

type Base = Pick<UsageEntry, "atMs" | "session" | "client">;

function startThread(memory: TranscriptMemory, payload: Payload, atMs: number): void {
  // A repeated past begins with the other thread's own line.
  if (memory.session !== undefined) return;
  memory.session = textOf(payload.session_id) ?? textOf(payload.id) ?? "unknown";
  memory.client =
    payload.source === "exec" || payload.originator === "codex_exec" ? "non-interactive-cli" : "terminal-ui";
  memory.isHelper = objectOf(payload.source).subagent !== undefined;
  const isContinued = memory.isHelper || textOf(payload.forked_from_id) !== undefined;
  if (isContinued) memory.past = { sinceMs: timeOfId(payload.id) ?? atMs, lastMs: atMs };
}

/**
 * Whether the line belongs to the past that a continued thread first copies from the other one, which takes seconds for a
 * long thread. Ids of turns have their time: the first turn that is not older than the thread is the thread's own.
 */
function isPast(memory: TranscriptMemory, line: Payload, payload: Payload, atMs: number): boolean {
  if (memory.past === undefined) return false;
  const { sinceMs, lastMs, hasTurns } = memory.past;
  const isTurn = line.type === "turn_context" || payload.type === "task_started";
  const turnMs = isTurn ? timeOfId(payload.turn_id) : undefined;
  const isOver = turnMs === undefined ? hasTurns !== true && atMs - lastMs >= pauseMs : turnMs >= sinceMs;
  if (isOver) delete memory.past;
  else memory.past = { sinceMs, lastMs: atMs, hasTurns: hasTurns === true || turnMs !== undefined };
  return !isOver;
}

/** When a UUID of version 7 was made, in milliseconds since the epoch. */
function timeOfId(id: unknown): number | undefined {
  const [, high, low] = /^([\da-f]{8})-([\da-f]{4})-7/.exec(textOf(id) ?? "") ?? [];
  return high === undefined || low === undefined ? undefined : timeOf(Number.parseInt(high + low, 16));
}

function recordEntries(payload: Payload, base: Base, memory: TranscriptMemory): UsageEntry[] {
  const id = textOf(payload.response_id);
  if (id === undefined) return [];
  memory.mark = hasRecords;
  const tokens = tokenUse(memory.model ?? unnamedModel, usageCounts(objectOf(payload.usage)));
  return tokens === undefined ? [] : [{ ...base, id, tokens }];
}

function eventEntries(payload: Payload, base: Base, memory: TranscriptMemory): UsageEntry[] {
  const item = objectOf(payload.item);
  const isPrompt =
    payload.type === "user_message" || (payload.type === "item_completed" && item.type === "UserMessage");
  if (isPrompt && memory.isHelper !== true) {
    return [{ ...base, id: textOf(item.id) ?? `${base.session} ${base.atMs} prompt`, isPrompt: true }];
  }
  if (payload.type !== "token_count" || memory.mark === hasRecords) return [];
  const before = memory.total ?? {};
  const total = totalOf(payload);
  memory.total = known(total) ?? memory.total;
  const last = objectOf(payload.info).last_token_usage;
  const tokens = tokenUse(
    memory.model ?? unnamedModel,
    usageCounts(total ? growth(total, before, last) : objectOf(last)),
  );
  if (tokens === undefined) return [];
  const sums = ["input_tokens", "cached_input_tokens", "output_tokens"].map((key) => total?.[key] ?? 0).join(" ");
  return [{ ...base, id: `${base.atMs} ${sums}`, tokens }];
}

const countKeys = ["input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens"] as const;

/** Undefined without counts. */
function totalOf(payload: Payload): Record<string, number> | undefined {
  const total = objectOf(objectOf(payload.info).total_token_usage);
  const counts = countKeys.map((key): [string, number] => [key, tokensOf(total[key])]);
  return counts.every(([, count]) => count === 0) ? undefined : Object.fromEntries(counts);
}

/** A total with what is no number says nothing of what comes after it, which therefore counts by itself. */
function known(total: Record<string, number> | undefined): Record<string, number> | undefined {
  return Object.values(total ?? {}).some(Number.isNaN) ? {} : total;
}

/** Codex writes an event with the same total again, so only what the total has grown by is new. */
function growth(total: Record<string, number>, before: Record<string, number>, last: unknown): Payload {
  const grown = countKeys.map((key): [string, number] => [key, (total[key] ?? 0) - (before[key] ?? 0)]);
  // A total without an earlier one, or a smaller one, has begun somewhere else.
  const isFirst = Object.keys(before).length === 0 || grown.some(([, count]) => !(count >= 0));
  return isFirst ? objectOf(last ?? total) : Object.fromEntries(grown);
}

/** The input includes the cache's, the output the thoughts. */
function usageCounts(usage: Payload) {
  const cacheRead = tokensOf(usage.cached_input_tokens);
  const cacheWrite = tokensOf(usage.cache_write_input_tokens);
  const input = Math.max(0, tokensOf(usage.input_tokens) - cacheRead - cacheWrite);
  return { input, output: tokensOf(usage.output_tokens), cacheRead, cacheWrite };
}

function itemEntries(payload: Payload, base: Base, memory: TranscriptMemory): UsageEntry[] {
  const call = textOf(payload.call_id);
  const id = textOf(payload.id);
  if (payload.type === "message" && payload.role === "assistant" && memory.isHelper !== true) {
    return [{ ...base, id: id ?? `${base.session} ${base.atMs} answer`, isAnswer: true }];
  }
  if (payload.type === "reasoning" && id !== undefined) {
    return [{ ...base, id, thinkingModel: memory.model ?? unnamedModel }];
  }
  if (call === undefined) return [];
  const end = /^(?:function|custom_tool)_call_output$/.test(String(payload.type)) ? takeCall(memory, call) : undefined;
  if (end !== undefined) return hasFailed(outputOf(payload)) ? [] : [{ ...base, id: `${call}:result`, usage: end }];
  const name = payload.type === "local_shell_call" ? "shell" : textOf(payload.name);
  if (name === undefined || !String(payload.type).endsWith("_call")) return [];
  const server = textOf(payload.namespace);
  const tool = server?.startsWith("mcp__") === true ? `${server}__${name}` : name;
  const input = parsedInput(payload.arguments ?? payload.input ?? payload.action);
  rememberCall(memory, call, usageOfResult(name, input));
  const level = memory.level === undefined ? {} : { level: memory.level };
  return [{ ...base, id: call, usage: { ...level, ...usageOfCall(tool, input) } }];
}

function outputOf({ output }: Payload): unknown {
  return textOf(output) ?? objectOf(output).content;
}

/** JSON in a text, or a patch. */
export function parsedInput(input: unknown): unknown {
  return typeof input === "string" ? (parseJson(input) ?? input) : input;
}
