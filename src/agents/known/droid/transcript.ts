// Droid's sessions: messages in one file, the total of tokens in another.
import type { UsageEntry } from "../../../model/usage.ts";
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
import { objectsOf, objectOf, textOf } from "../../../model/json.ts";

const settingsSuffix = ".settings.json";

export const droidTranscript: TranscriptFormat = {
  folders: [{ path: ".factory/sessions", moved: { env: "FACTORY_HOME_OVERRIDE", into: ".factory/sessions" } }],
  formOf(path) {
    if (path.endsWith(settingsSuffix)) return { kind: "document" };
    return path.endsWith(".jsonl") ? { kind: "lines" } : undefined;
  },
  knownKinds: /^(?:message|session_start|session_end|todo_state|compaction_state)$/,
  read(entry, memory, path) {
    const session = path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:settings\.json|jsonl)$/, "");
    return path.endsWith(settingsSuffix) ? settingsEntries(entry, session) : messageEntries(entry, session, memory);
  },
};

/** One total for the session: it counts on the session's first day. */
function settingsEntries(settings: Payload, session: string): UsageEntry[] {
  const atMs = timeOf(settings.providerLockTimestamp);
  const counts = objectOf(settings.tokenUsage);
  // A person's own models are called `custom:Name-0`.
  const model = textOf(settings.model)
    ?.replace(/^custom:/, "")
    .toLowerCase();
  const tokens = tokenUse(model, {
    input: tokensOf(counts.inputTokens),
    output: tokensOf(counts.outputTokens),
    cacheRead: tokensOf(counts.cacheReadTokens),
    cacheWrite: tokensOf(counts.cacheCreationTokens),
  });
  if (atMs === undefined || tokens === undefined) return [];
  const isHeadless = objectsOf(settings.tags).some(({ name }) => name === "exec");
  const client = isHeadless ? "non-interactive-cli" : "terminal-ui";
  return [{ id: `${session} tokens`, atMs, session, client, tokens, isGrowing: true }];
}

function messageEntries(line: Payload, session: string, memory: TranscriptMemory): UsageEntry[] {
  const [id, atMs] = [textOf(line.id), timeOf(line.timestamp)];
  if (line.type === "session_start" && textOf(line.callingSessionId) !== undefined) memory.isHelper = true;
  if (line.type !== "message" || id === undefined || atMs === undefined) return [];
  const message = objectOf(line.message);
  const content = objectsOf(message.content);
  const base = { atMs, session };
  if (message.role === "assistant") {
    const calls = content.flatMap(({ type, id: call, name, input }): UsageEntry[] => {
      if (type !== "tool_use" || typeof call !== "string" || typeof name !== "string") return [];
      rememberCall(memory, call, usageOfResult(name, input));
      return [{ ...base, id: call, usage: usageOfCall(name, input) }];
    });
    return memory.isHelper === true ? calls : [{ ...base, id, isAnswer: true }, ...calls];
  }
  const results = content.filter(({ type }) => type === "tool_result");
  if (results.length > 0) {
    return results.flatMap((result): UsageEntry[] => {
      const call = textOf(result.tool_use_id);
      const usage = takeCall(memory, call);
      const hasEndedWell = result.is_error !== true && !hasFailed(result.content);
      return usage === undefined || !hasEndedWell ? [] : [{ ...base, id: `${call}:result`, usage }];
    });
  }
  const isOwn = content.every(({ text }) => (textOf(text) ?? "<").startsWith("<"));
  return memory.isHelper === true || isOwn ? [] : [{ ...base, id, isPrompt: true }];
}
