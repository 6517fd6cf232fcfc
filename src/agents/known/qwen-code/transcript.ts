// Qwen Code's chats: one file for each session.
import type { UsageEntry } from "../../../model/usage.ts";
import { hasFailed, usageOfCall, usageOfResult } from "../../dialect/tool-usage.ts";
import { rememberCall, takeCall, timeOf, tokensOf, tokenUse, type TranscriptFormat } from "../../dialect/transcript.ts";
import { objectsOf, objectOf, textOf } from "../../../model/json.ts";

export const qwenCodeTranscript: TranscriptFormat = {
  folders: [{ path: ".qwen/projects", moved: { env: "QWEN_HOME", into: "projects" } }],
  formOf: (path) => (/(?:^|\/)chats\/[^/]+\.jsonl$/.test(path) ? { kind: "lines" } : undefined),
  knownKinds: /^(?:user|assistant|system|tool_result)$/,
  read(line, memory) {
    const [id, session, atMs] = [textOf(line.uuid), textOf(line.sessionId), timeOf(line.timestamp)];
    if (id === undefined || session === undefined || atMs === undefined) return [];
    const base = { atMs, session };
    const parts = objectsOf(objectOf(line.message).parts);
    if (line.type === "user") {
      const isOwn = line.provenance !== undefined && line.provenance !== "real_user";
      return isOwn || !parts.some(({ text }) => textOf(text)) ? [] : [{ ...base, id, isPrompt: true }];
    }
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []).map(objectOf);
    const done = results.flatMap((result): UsageEntry[] => {
      const call = textOf(result.id);
      const usage = takeCall(memory, call);
      const output = objectOf(result.response).output;
      const isDone = objectOf(line.toolCallResult).status === "success" && !hasFailed(output);
      return usage === undefined || !isDone ? [] : [{ ...base, id: `${call}:result`, usage }];
    });
    if (line.type !== "assistant") return done;
    const counts = objectOf(line.usageMetadata);
    const model = textOf(line.model);
    const cacheRead = tokensOf(counts.cachedContentTokenCount);
    // The prompt includes the cache's tokens, the candidates the thoughts.
    const tokens = tokenUse(model, {
      input: Math.max(0, tokensOf(counts.promptTokenCount) - cacheRead),
      output: tokensOf(counts.candidatesTokenCount),
      cacheRead,
      cacheWrite: 0,
    });
    const entries: UsageEntry[] = [{ ...base, id: `${id}:answer`, isAnswer: true }];
    if (tokens !== undefined) entries.push({ ...base, id, tokens });
    if (model !== undefined && tokensOf(counts.thoughtsTokenCount) > 0) {
      entries.push({ ...base, id: `${id}:thinking`, thinkingModel: model });
    }
    for (const { functionCall } of parts) {
      const { id: call, name, args } = objectOf(functionCall);
      if (typeof call !== "string" || typeof name !== "string") continue;
      entries.push({ ...base, id: call, usage: usageOfCall(name, args) });
      rememberCall(memory, call, usageOfResult(name, args));
    }
    return entries;
  },
};
