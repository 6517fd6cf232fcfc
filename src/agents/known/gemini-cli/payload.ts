// How Gemini CLI's payloads are read: https://geminicli.com/docs/hooks/reference
import type { Agent, EventFacts } from "../../dialect/agent.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { isIsoTime, textOf } from "../../dialect/values.ts";

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
  facts(payload) {
    const facts: EventFacts = genericFacts(payload);
    return facts.notificationType === "ToolPermission" ? { ...facts, notificationType: "permission_prompt" } : facts;
  },
  // These hold whole files.
  withheld: ["details.fileDiff", "details.originalContent", "details.newContent"],
};
