// opencode's sessions: rows of a SQLite database, and before release 1.2 one JSON file for each message.
import type { UsageEntry } from "../../../model/usage.ts";
import type { Payload } from "../../dialect/agent.ts";
import { usageOfCall, usageOfResult } from "../../dialect/tool-usage.ts";
import { timeOf, tokensOf, tokenUse, type TableQuery, type TranscriptFormat } from "../../dialect/transcript.ts";
import { objectIn, objectOf, objectsOf, textOf } from "../../../model/json.ts";

const queries: readonly TableQuery[] = [
  (tables) =>
    tables.has("message")
      ? `SELECT m.id, m.session_id AS sessionID, s.parent_id AS parentID, m.data, m.time_updated AS changed
           FROM message m LEFT JOIN session s ON s.id = m.session_id WHERE m.time_updated > ? ORDER BY m.time_updated`
      : undefined,
  (tables) =>
    tables.has("part")
      ? `SELECT id, session_id AS sessionID, data, time_updated AS changed
           FROM part WHERE time_updated > ? AND data LIKE '%"type":"tool"%' ORDER BY time_updated`
      : undefined,
  // opencode 2. After an upgrade, it has copies of the older table's messages as well, with ids of their own.
  (tables) =>
    tables.has("session_message")
      ? `SELECT m.id, m.session_id AS sessionID, s.parent_id AS parentID, m.type AS role, m.data, m.time_updated AS changed
           FROM session_message m LEFT JOIN ${tables.has("session_v2") ? "session_v2" : "session"} s ON s.id = m.session_id
          WHERE m.time_updated > ? ${tables.has("message") ? `AND NOT ${isCopied}` : ""} ORDER BY m.time_updated`
      : undefined,
];

const isCopied = `EXISTS (SELECT 1 FROM message o WHERE o.session_id = m.session_id AND o.id <> m.id
  AND json_extract(o.data, '$.time.created') = json_extract(m.data, '$.time.created'))`;

export const opencodeTranscript: TranscriptFormat = {
  folders: [{ path: ".local/share/opencode", moved: { env: "XDG_DATA_HOME", into: "opencode" } }],
  formOf(path) {
    // The channels of releases have databases of their own, such as opencode-beta.db.
    if (/^opencode(?:-[\w.-]+)?\.db$/.test(path)) return { kind: "sqlite", queries };
    return /^storage\/message\/[^/]+\/[^/]+\.json$/.test(path) ? { kind: "document" } : undefined;
  },
  read(row) {
    const entry: Payload = { ...objectIn(textOf(row.data) ?? ""), ...row };
    const [id, session] = [textOf(entry.id), textOf(entry.sessionID)];
    if (id === undefined || session === undefined) return [];
    if (entry.type === "tool") return toolEntries(entry, session);
    const calls = objectsOf(entry.content).filter(({ type }) => type === "tool");
    return [...messageEntries(entry, id, session), ...calls.flatMap((call) => contentEntries(call, session))];
  },
  knownKinds: /^(?:user|assistant|tool)$/,
};

function messageEntries(message: Payload, id: string, session: string): UsageEntry[] {
  const atMs = timeOf(objectOf(message.time).created);
  if (atMs === undefined) return [];
  const base = { atMs, session };
  const isOfSubagent = textOf(message.parentID) !== undefined && message.role === "user";
  if (message.role === "user") return isOfSubagent ? [] : [{ ...base, id, isPrompt: true }];
  const counts = objectOf(message.tokens);
  const model = textOf(message.modelID) ?? textOf(objectOf(message.model).id);
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

/** A call within a message of opencode 2. */
function contentEntries({ id, name, state, time }: Payload, session: string): UsageEntry[] {
  const { ran, created } = objectOf(time);
  const start = ran ?? created;
  return toolEntries({ callID: id, tool: name, state: { ...objectOf(state), time: { start } } }, session);
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
