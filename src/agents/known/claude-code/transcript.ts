// Claude Code's transcripts: one file for each session, and one for each of its subagents.
import type { ClientType, UsageEntry } from "../../../model/usage.ts";
import type { Payload } from "../../dialect/agent.ts";
import { cleanName, usageOfCall, usageOfResult } from "../../dialect/tool-usage.ts";
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
import { autonomyLevelOf } from "../../dialect/usage.ts";

const clients: Readonly<Record<string, ClientType>> = {
  cli: "terminal-ui",
  "claude-vscode": "terminal-ui",
  "claude-desktop": "terminal-ui",
  "sdk-cli": "non-interactive-cli",
  "sdk-ts": "non-interactive-cli",
  "sdk-py": "non-interactive-cli",
  remote: "web",
};

export const claudeCodeTranscript: TranscriptFormat = {
  folders: [
    { path: ".claude/projects", moved: { env: "CLAUDE_CONFIG_DIR", into: "projects" } },
    { path: ".config/claude/projects" },
  ],
  formOf: (path) => (path.endsWith(".jsonl") ? { kind: "lines" } : undefined),
  knownKinds: /^(?:assistant|user|progress|system|summary|result)$/,
  read(line, memory) {
    // Older releases repeat a subagent's lines inside of the session's.
    const inner = objectOf(objectOf(line.data).message);
    const entry = line.type === "progress" && inner.message !== undefined ? inner : line;
    const atMs = timeOf(entry.timestamp ?? line.timestamp);
    const session = textOf(line.sessionId);
    if (atMs === undefined || session === undefined) return [];
    const entrypoint = textOf(line.entrypoint) ?? "";
    const base = { atMs, session, client: Object.hasOwn(clients, entrypoint) ? clients[entrypoint] : undefined };
    memory.level = autonomyLevelOf(line.permissionMode) ?? memory.level;
    const message = objectOf(entry.message);
    if (message.usage !== undefined) return answerEntries(entry, message, base, memory);
    return entry.type === "user" ? userEntries(entry, message, base, memory) : [];
  },
};

type Base = Pick<UsageEntry, "atMs" | "session" | "client">;

/** Each block of an answer has its own line with the same ids; the last one has the whole usage. */
function answerEntries(entry: Payload, message: Payload, base: Base, memory: TranscriptMemory): UsageEntry[] {
  const request = textOf(entry.requestId) ?? "";
  // A message may come again under the id of another request.
  const id = textOf(message.id) ?? `${textOf(entry.uuid) ?? ""}:${request}`;
  const seenAs = (suffix = ""): Pick<UsageEntry, "id" | "formerId"> => ({
    id: `${id}${suffix}`,
    formerId: message.id === undefined ? undefined : `${id}:${request}${suffix}`,
  });
  const usage = objectOf(message.usage);
  const name = textOf(message.model);
  // Claude Code writes errors itself.
  const model = name === "<synthetic>" ? undefined : usage.speed === "fast" ? `${name}-fast` : name;
  const use = tokenUse(model, usageCounts(usage));
  const entries: UsageEntry[] = [];
  if (use !== undefined) entries.push({ ...base, ...seenAs(), tokens: use, isGrowing: true });
  for (const [index, advice] of objectsOf(usage.iterations).entries()) {
    if (advice.type !== "advisor_message") continue;
    const advisor = tokenUse(textOf(advice.model), usageCounts(advice));
    if (advisor !== undefined)
      entries.push({ ...base, ...seenAs(`:advisor:${index}`), tokens: advisor, isGrowing: true });
  }
  const content = objectsOf(message.content);
  if (model !== undefined && content.some(({ type }) => type === "thinking" || type === "redacted_thinking")) {
    entries.push({ ...base, ...seenAs(":thinking"), thinkingModel: cleanName(model) });
  }
  if (model !== undefined && entry.isSidechain !== true)
    entries.push({ ...base, ...seenAs(":answer"), isAnswer: true });
  for (const block of content) {
    const [call, tool] = [textOf(block.id), textOf(block.name)];
    if (block.type !== "tool_use" || call === undefined || tool === undefined) continue;
    const level = memory.level === undefined ? {} : { level: memory.level };
    entries.push({ ...base, id: call, usage: { ...level, ...usageOfCall(tool, block.input) } });
    rememberCall(memory, call, usageOfResult(tool, block.input));
  }
  return entries;
}

function usageCounts(usage: Payload) {
  return {
    input: tokensOf(usage.input_tokens),
    output: tokensOf(usage.output_tokens),
    cacheRead: tokensOf(usage.cache_read_input_tokens),
    cacheWrite: tokensOf(usage.cache_creation_input_tokens),
  };
}

function userEntries(entry: Payload, message: Payload, base: Base, memory: TranscriptMemory): UsageEntry[] {
  const results = objectsOf(message.content).filter(({ type }) => type === "tool_result");
  const done = results.flatMap((result): UsageEntry[] => {
    const call = textOf(result.tool_use_id);
    const usage = takeCall(memory, call);
    if (usage === undefined || result.is_error === true) return [];
    const { created, ...others } = usage;
    const isUpdate = created !== undefined && objectOf(entry.toolUseResult).type === "update";
    return [{ ...base, id: `${call}:result`, usage: isUpdate ? { ...others, edited: created } : usage }];
  });
  const id = textOf(entry.uuid);
  if (results.length > 0 || entry.isMeta === true || entry.isSidechain === true || id === undefined) return done;
  const text =
    textOf(message.content) ??
    objectsOf(message.content)
      .map(({ text }) => textOf(text) ?? "")
      .join("\n");
  const command = /^\s*(?=<command-)[^]*?<command-name>\/?([\w:.-]+)<\/command-name>/.exec(text)?.[1];
  if (command !== undefined) {
    // Claude Code carries out `/clear` and the like itself. What it sends to the model, as the hook sees it, begins with the message.
    const isPrompt = text.trimStart().startsWith("<command-message>");
    return [{ ...base, id, usage: { slashCommand: cleanName(command) }, ...(isPrompt ? { isPrompt } : {}) }];
  }
  // Claude Code writes such lines itself.
  const isOwn = /^\s*(?:<(?:local-command|task-notification|system-reminder|bash-)|\[Request interrupted|Caveat:)/.test(
    text,
  );
  return isOwn || text.trim() === "" ? [] : [{ ...base, id, isPrompt: true }];
}
