// Gemini CLI's chats: one file for each session, and one for each of its subagents in a folder of the session's name. A later line with the same id replaces the earlier one.
import type { UsageEntry } from "../../../model/usage.ts";
import type { Payload } from "../../dialect/agent.ts";
import { usageOfCall, usageOfResult } from "../../dialect/tool-usage.ts";
import { timeOf, tokensOf, tokenUse, type TranscriptFormat } from "../../dialect/transcript.ts";
import { objectsOf, objectOf, textOf } from "../../../model/json.ts";

export const geminiCliTranscript: TranscriptFormat = {
  folders: [{ path: ".gemini/tmp", moved: { env: "GEMINI_CLI_HOME", into: ".gemini/tmp" } }],
  formOf(path) {
    if (!/(?:^|\/)chats\/(?:session-[^/]+|(?:[^/]+\/)+[^/]+)\.jsonl?$/.test(path)) return undefined;
    return { kind: path.endsWith("l") ? "lines" : "document" };
  },
  knownKinds: /^(?:user|gemini|info|warning|error)$/,
  read(line, memory, path) {
    const parent = /(?:^|\/)chats\/([^/]+)\/[^/]/.exec(path)?.[1];
    memory.session ??= textOf(line.sessionId);
    memory.isHelper ??= parent !== undefined || textOf(line.kind) === "subagent";
    if (memory.session === undefined) return [];
    const session = { own: memory.session, of: parent ?? memory.session };
    const messages = [...objectsOf(line.messages), ...objectsOf(objectOf(line.$set).messages), line];
    return messages.flatMap((message) => messageEntries(message, session, memory.isHelper === true));
  },
};

/** `own` makes ids unique; what a subagent does counts for the session that it works for. */
function messageEntries(message: Payload, session: { own: string; of: string }, isOfSubagent: boolean): UsageEntry[] {
  const [ownId, atMs] = [textOf(message.id), timeOf(message.timestamp)];
  if (ownId === undefined || atMs === undefined) return [];
  // Older releases number the messages of each session from 1.
  const id = `${session.own} ${ownId}`;
  const base = { atMs, session: session.of };
  if (message.type === "user")
    return isOfSubagent || !isPrompt(message.content) ? [] : [{ ...base, id, isPrompt: true }];
  if (message.type !== "gemini") return [];
  const counts = objectOf(message.tokens);
  const model = textOf(message.model);
  const cacheRead = tokensOf(counts.cached);
  const tokens = tokenUse(model, {
    input: Math.max(0, tokensOf(counts.input) - cacheRead) + tokensOf(counts.tool),
    // The model has generated its thoughts as well.
    output: tokensOf(counts.output) + tokensOf(counts.thoughts),
    cacheRead,
    cacheWrite: 0,
  });
  const entries: UsageEntry[] = isOfSubagent ? [] : [{ ...base, id: `${id}:answer`, isAnswer: true }];
  if (tokens !== undefined) entries.push({ ...base, id, tokens, isGrowing: true });
  if (model !== undefined && tokensOf(counts.thoughts) > 0) {
    entries.push({ ...base, id: `${id}:thinking`, thinkingModel: model });
  }
  for (const call of objectsOf(message.toolCalls)) {
    const [callId, name] = [textOf(call.id), textOf(call.name)];
    if (callId === undefined || name === undefined) continue;
    const isDone = call.status === "success";
    const usage = { ...usageOfCall(name, call.args), ...(isDone ? usageOfResult(name, call.args) : {}) };
    entries.push({ ...base, id: `${session.own} ${callId}`, usage, isGrowing: true });
  }
  return entries;
}

function isPrompt(content: unknown): boolean {
  const text = textOf(content) ?? objectsOf(content).flatMap((part) => textOf(part.text) ?? [])[0];
  return text !== undefined && !text.startsWith("<session_context>");
}
