// opencode's sessions: rows of a SQLite database, and before release 1.2 one JSON file for each message.
import type { UsageEntry } from "../../../model/usage.ts";
import type { Payload } from "../../dialect/agent.ts";
import { usageOfCall, usageOfResult } from "../../dialect/tool-usage.ts";
import { timeOf, tokensOf, tokenUse, type TranscriptFormat } from "../../dialect/transcript.ts";
import { objectIn, objectOf, textOf } from "../../../model/json.ts";

const queries = [
  `SELECT m.id, m.session_id AS sessionID, s.parent_id AS parentID, m.data, m.time_updated AS changed
     FROM message m LEFT JOIN session s ON s.id = m.session_id WHERE m.time_updated > ? ORDER BY m.time_updated`,
  `SELECT id, session_id AS sessionID, data, time_updated AS changed
     FROM part WHERE time_updated > ? AND data LIKE '%"type":"tool"%' ORDER BY time_updated`,
];

export const opencodeTranscript: TranscriptFormat = {
  folders: [{ path: ".local/share/opencode", moved: { env: "XDG_DATA_HOME", into: "opencode" } }],
  formOf(path) {
    if (path === "opencode.db") return { kind: "sqlite", queries };
    return /^storage\/message\/[^/]+\/[^/]+\.json$/.test(path) ? { kind: "document" } : undefined;
  },
  read(row) {
    const entry: Payload = { ...objectIn(textOf(row.data) ?? ""), ...row };
    const [id, session] = [textOf(entry.id), textOf(entry.sessionID)];
    if (id === undefined || session === undefined) return [];
    return entry.type === "tool" ? toolEntries(entry, session) : messageEntries(entry, id, session);
  },
};

function messageEntries(message: Payload, id: string, session: string): UsageEntry[] {
  const atMs = timeOf(objectOf(message.time).created);
  if (atMs === undefined) return [];
  const base = { atMs, session };
  const isOfSubagent = textOf(message.parentID) !== undefined && message.role === "user";
  if (message.role === "user") return isOfSubagent ? [] : [{ ...base, id, isPrompt: true }];
  const counts = objectOf(message.tokens);
  const model = textOf(message.modelID);
  const cache = objectOf(counts.cache);
  const tokens = tokenUse(model, {
    input: tokensOf(counts.input),
    // opencode takes what was thought out of the output.
    output: tokensOf(counts.output) + tokensOf(counts.reasoning),
    cacheRead: tokensOf(cache.read),
    cacheWrite: tokensOf(cache.write),
  });
  if (message.role !== "assistant" || tokens === undefined) return [];
  const entries: UsageEntry[] = [
    { ...base, id, tokens, isGrowing: true },
    { ...base, id: `${id}:answer`, isAnswer: true },
  ];
  if (model !== undefined && tokensOf(counts.reasoning) > 0) {
    entries.push({ ...base, id: `${id}:thinking`, thinkingModel: model });
  }
  return entries;
}

function toolEntries(part: Payload, session: string): UsageEntry[] {
  const [call, name] = [textOf(part.callID), textOf(part.tool)];
  const state = objectOf(part.state);
  const atMs = timeOf(objectOf(state.time).start);
  if (call === undefined || name === undefined || atMs === undefined) return [];
  const exit = objectOf(state.metadata).exit;
  const isDone = state.status === "completed" && (exit === undefined || exit === 0);
  const usage = { ...usageOfCall(name, state.input), ...(isDone ? usageOfResult(name, state.input) : {}) };
  return [{ id: `${session} ${call}`, atMs, session, usage, isGrowing: true }];
}
