import { askForTool } from "../../dialect/claude-facts.ts";
import type { Agent, EventFacts, Payload } from "../../dialect/agent.ts";
import { genericFacts, usualTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { isIsoTime, isOfHelper, objectOf, sessionOfFolder, textOf } from "../../dialect/values.ts";
import { usualReason } from "../../dialect/error-reason.ts";

const names: Readonly<Record<string, string>> = {
  agentStop: "Stop",
  subagentStop: "SubagentStop",
  sessionStart: "SessionStart",
  sessionEnd: "SessionEnd",
  userPromptSubmitted: "UserPromptSubmit",
  permissionRequest: "PermissionRequest",
  notification: "Notification",
};

/** GitHub's Copilot CLI: https://docs.github.com/en/copilot/reference/hooks-reference */
export const copilotCli: Agent = {
  id: "copilot-cli",
  name: "Copilot CLI",
  docs: "https://docs.github.com/en/copilot/reference/hooks-reference",
  isAuthor: (payload, calledAs) => isInCamelCase(payload) || isInSnakeCase(payload, calledAs),
  isCalling: (env) => env.COPILOT_CLI !== undefined || env.COPILOT_AGENT_SESSION_ID !== undefined,
  acceptsCamelCase: false,
  // Hooks whose key is in camelCase are told no name.
  nativeName: (payload, given) => payload.hook_event_name ?? payload.hookName ?? given ?? nameByShape(payload),
  // Older releases named no session.
  usual: (payload) => ({
    ...payload,
    session_id: payload.session_id ?? sessionOfFolder(payload.cwd),
    last_assistant_message: payload.last_assistant_message ?? payload.response,
  }),
  common: { hook_event_name: filledString, session_id: filledString, cwd: filledString },
  events: {},
  types: {
    ...usualTypes,
    error: "object",
    error_context: "string",
    tool_name: "string",
    agent_name: "string",
    parent_agent_id: "string",
  },
  eventName(native, payload) {
    if (/^errorOccurred$/i.test(native)) return isOfModel(payload) ? "StopFailure" : undefined;
    return Object.hasOwn(names, native) ? names[native] : undefined;
  },
  ignores(eventName, payload) {
    if (!isOfHelper(payload)) return undefined;
    if (eventName === "UserPromptSubmit") return "a helper's prompt";
    return eventName === "Stop" ? "a helper's own stop: its SubagentStop tells of it" : undefined;
  },
  facts(payload, eventName) {
    const facts = genericFacts(payload);
    if (eventName === "PermissionRequest") return { ...facts, ...askForTool("Copilot CLI", payload) };
    return payload.error === undefined ? facts : { ...facts, ...errorFacts(payload) };
  },
};

/** An error in a tool, or in what the person wrote, does not end the turn. */
function isOfModel({ error_context: context }: Payload): boolean {
  return context !== "tool_execution" && context !== "user_input";
}

/** The message of an error is often the provider's JSON. */
function errorFacts(payload: Payload): Pick<EventFacts, "message" | "reason"> {
  const error = objectOf(payload.error);
  const text = textOf(error.message) ?? textOf(payload.error);
  const inner = text?.startsWith("{") ? parsedObject(text) : {};
  const name = textOf(error.name);
  return {
    message: textOf(inner.message) ?? text,
    reason: usualReason(textOf(inner.type)) ?? (name === "Error" ? undefined : name) ?? textOf(payload.error_context),
  };
}

function parsedObject(text: string): Payload {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** No other agent puts a number for the time beside a session in camelCase, or mixes both cases as its Notification does. */
function isInCamelCase(payload: Payload): boolean {
  return (
    textOf(payload.sessionId) !== undefined &&
    typeof payload.timestamp === "number" &&
    payload.hookEventName === undefined
  );
}

/** It reads Claude Code's hooks in a repository, whose payloads never have a time; those of others have more than this. */
function isInSnakeCase(payload: Payload, calledAs: string | undefined): boolean {
  if (textOf(payload.hook_event_name) === undefined || !isIsoTime(payload.timestamp)) return false;
  if (payload.permission_mode !== undefined || textOf(payload.session_id) === undefined) return false;
  const transcript = textOf(payload.transcript_path);
  if (transcript !== undefined) return /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/.test(transcript);
  return calledAs === "claude-code" || payload.error_context !== undefined || payload.initial_prompt !== undefined;
}

/** Which event it must be when nobody says so. */
function nameByShape(payload: Payload): string | undefined {
  const has = (key: string): boolean => payload[key] !== undefined;
  if (has("errorContext")) return "errorOccurred";
  if (has("toolResult")) return "postToolUse";
  if (has("toolName")) return "preToolUse";
  if (has("agentName")) return has("stopReason") ? "subagentStop" : "subagentStart";
  if (has("stopReason")) return "agentStop";
  if (has("source")) return "sessionStart";
  if (has("prompt")) return "userPromptSubmitted";
  return has("reason") ? "sessionEnd" : undefined;
}
