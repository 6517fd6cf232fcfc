// How Gemini CLI's payloads are read: https://geminicli.com/docs/hooks/reference
import type { Agent, EventFacts } from "../../dialect/agent.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { isIsoTime, objectOf, textOf } from "../../dialect/values.ts";
import { requestFacts, toolFacts } from "../../dialect/tool-line.ts";
import { detailsLine, geminiTools } from "./tool-line.ts";

const names: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
  AfterTool: "PostToolUse",
};
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
  isCalling: (env) => env.GEMINI_SESSION_ID !== undefined || env.GEMINI_PROJECT_DIR !== undefined,
  acceptsCamelCase: false,
  withCommonNames: (payload) => ({ ...payload, last_assistant_message: payload.prompt_response }),
  common: { hook_event_name: filledString, session_id: filledString },
  events: {},
  types: { ...commonTypes, cwd: "string", prompt: "string", details: "object" },
  eventName: (native) => (Object.hasOwn(names, native) ? names[native] : undefined),
  facts(payload, eventName) {
    const facts: EventFacts = genericFacts(payload);
    if (eventName === "BeforeTool") return { ...facts, ...toolFacts(geminiTools, payload) };
    if (facts.notificationType !== "ToolPermission") return facts;
    const request = detailsLine(objectOf(payload.details), facts.cwd);
    return { ...facts, ...requestFacts(request), notificationType: "permission_prompt" };
  },
  // These hold whole files.
  withheld: ["details.fileDiff", "details.originalContent", "details.newContent"],
};
