// How Gemini CLI's payloads are read: https://geminicli.com/docs/hooks/reference
import type { Agent, PayloadFacts, Payload } from "../../dialect/agent.ts";
import { commonTypes, genericFacts } from "../../dialect/generic.ts";
import {
  mcpCall,
  requestFacts,
  toolFacts,
  toolRequest,
  type ToolReaders,
  type ToolRequest,
} from "../../dialect/tool-line.ts";
import { firstText, isIsoTime } from "../../dialect/values.ts";
import { objectOf, textOf } from "../../../model/json.ts";

const ownNames = /^(?:(?:Before|After)(?:Agent|Model|Tool)|BeforeToolSelection|PreCompress)$/;

export const geminiCli: Agent = {
  id: "gemini-cli",
  name: "Gemini CLI",
  docs: "https://geminicli.com/docs/hooks/reference",
  isAuthor: (payload) =>
    isIsoTime(payload.timestamp) &&
    payload.permission_mode === undefined &&
    (ownNames.test(textOf(payload.hook_event_name) ?? "") ||
      payload.notification_type === "ToolPermission" ||
      (textOf(payload.hook_event_name) !== undefined &&
        /[\\/]chats[\\/]session-[^\\/]+$/.test(textOf(payload.transcript_path) ?? ""))),
  variables: { ofHooks: ["GEMINI_SESSION_ID", "GEMINI_PROJECT_DIR"], ofCommands: ["GEMINI_CLI", "GEMINI_SESSION_ID"] },
  withCommonNames: (payload) => ({ ...payload, last_assistant_message: payload.prompt_response }),
  types: { ...commonTypes, cwd: "string", prompt: "string", details: "object" },
  eventNames: {
    BeforeAgent: "UserPromptSubmit",
    AfterAgent: "Stop",
    AfterTool: "PostToolUse",
  },
  facts(payload, eventName) {
    const facts: PayloadFacts = genericFacts(payload);
    if (eventName === "BeforeTool") return { ...facts, ...toolFacts(geminiTools, payload) };
    if (eventName === "PostToolUse") return { ...facts, request: toolFacts(geminiTools, payload).request };
    if (facts.notificationType !== "ToolPermission") return facts;
    const request = requestIn(objectOf(payload.details), facts.cwd);
    return { ...facts, ...requestFacts(request), notificationType: "permission_prompt" };
  },
  // These fields hold whole files.
  withheld: ["details.fileDiff", "details.originalContent", "details.newContent"],
};

const geminiTools: ToolReaders = {
  run_shell_command: "runs",
  replace: "edits",
  write_file: "writes",
  read_file: "reads",
  web_fetch: "fetches",
  google_web_search: "searches",
};

/** `details` of a question: `exec`, `edit`, `mcp` or `info`. */
function requestIn(details: Payload, cwd: string): ToolRequest | undefined {
  const path = textOf(details.filePath) ?? textOf(details.fileName);
  const server = textOf(details.serverName);
  const url = firstText(details.urls);
  const read = (tool: string, input: Payload): ToolRequest => toolRequest(detailReaders, { tool, input, cwd });
  if (details.type === "exec" && details.command !== undefined) return read("exec", details);
  if (details.type === "edit" && path !== undefined) return read("edit", { path, diff: details.fileDiff });
  if (server !== undefined) return mcpCall(server, textOf(details.toolName) ?? "a tool", {});
  return url === undefined ? undefined : read("fetch", { url });
}

const detailReaders: ToolReaders = { exec: "runs", edit: "edits", fetch: "fetches" };
