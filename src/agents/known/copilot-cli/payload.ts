// How Copilot CLI's payloads are read: https://docs.github.com/en/copilot/reference/hooks-reference
import type { Agent, PayloadFacts, Payload } from "../../dialect/agent.ts";
import { errorReason } from "../../dialect/error-reason.ts";
import { filledString } from "../../dialect/fields.ts";
import { commonTypes, genericFacts } from "../../dialect/generic.ts";
import { requestFacts, runsCommand, toolFacts, type RequestFacts, type ToolReaders } from "../../dialect/tool-line.ts";
import { isIsoTime, isOfSubagent, sessionOfFolder } from "../../dialect/values.ts";
import { objectIn, objectOf, textOf } from "../../../model/json.ts";

export const copilotCli: Agent = {
  id: "copilot-cli",
  name: "Copilot CLI",
  docs: "https://docs.github.com/en/copilot/reference/hooks-reference",
  isAuthor: (payload, calledAs) => isInCamelCase(payload) || isInSnakeCase(payload, calledAs),
  variables: {
    ofHooks: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
    ofCommands: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
  },
  // The payload of a hook under a camelCase key names no event.
  nativeName: (payload, given) => payload.hook_event_name ?? payload.hookName ?? given ?? nameByShape(payload),
  // Older releases named no session.
  withCommonNames: (payload) => ({
    ...payload,
    session_id: payload.session_id ?? sessionOfFolder(payload.cwd),
    last_assistant_message: payload.last_assistant_message ?? payload.response,
    tool_input: payload.tool_input ?? payload.tool_args,
  }),
  common: { cwd: filledString },
  types: {
    ...commonTypes,
    error: "object",
    error_context: "string",
    tool_name: "string",
    agent_name: "string",
    parent_agent_id: "string",
  },
  eventNames: {
    agentStop: "Stop",
    subagentStop: "SubagentStop",
    sessionStart: "SessionStart",
    sessionEnd: "SessionEnd",
    userPromptSubmitted: "UserPromptSubmit",
    permissionRequest: "PermissionRequest",
    notification: "Notification",
  },
  eventName(native, payload) {
    if (/^errorOccurred$/i.test(native) && isOfModel(payload)) return "StopFailure";
    // Copilot's own questions are calls of a tool, and start no other event.
    return /^preToolUse$/i.test(native) && payload.tool_name === questionTool ? "PermissionRequest" : undefined;
  },
  ignores(eventName, payload) {
    if (!isOfSubagent(payload)) return undefined;
    if (eventName === "UserPromptSubmit") return "a subagent's prompt";
    return eventName === "Stop" ? "a subagent's own stop: SubagentStop reports it" : undefined;
  },
  facts(payload, eventName) {
    // A subagent is a session of its own.
    const isOwnSession = textOf(payload.agent_id) === textOf(payload.session_id);
    const helperOf = isOwnSession ? textOf(payload.parent_agent_id) : undefined;
    const facts = { ...genericFacts(payload), ...(helperOf === undefined ? {} : { helperOf }) };
    if (/^(?:permissionRequest|preToolUse)$/i.test(eventName)) return { ...facts, ...toolFacts(copilotTools, payload) };
    if (/^postToolUse$/i.test(eventName)) return { ...facts, request: toolFacts(copilotTools, payload).request };
    if (facts.notificationType === "permission_prompt") return { ...facts, ...notificationFacts(facts.message) };
    return payload.error === undefined ? facts : { ...facts, ...errorFacts(payload) };
  },
};

/** `Run command: npm test` */
function notificationFacts(message: string | undefined): RequestFacts {
  const command = /^Run command: ([\s\S]+)$/.exec(message ?? "")?.[1];
  if (command === undefined) return { request: message };
  return requestFacts(runsCommand(command));
}

/** An error in a tool or in the user's input does not end the turn. */
function isOfModel({ error_context: context }: Payload): boolean {
  return context !== "tool_execution" && context !== "user_input";
}

/** The error's message is often the provider's JSON. */
function errorFacts(payload: Payload): Pick<PayloadFacts, "message" | "reason"> {
  const error = objectOf(payload.error);
  const text = textOf(error.message) ?? textOf(payload.error);
  const inner = objectIn(text ?? "");
  const name = textOf(error.name);
  return {
    message: textOf(inner.message) ?? text,
    reason: errorReason(textOf(inner.type)) ?? (name === "Error" ? undefined : name) ?? textOf(payload.error_context),
  };
}

/** No other agent has a numeric time beside a session in camelCase. */
function isInCamelCase(payload: Payload): boolean {
  return (
    textOf(payload.sessionId) !== undefined &&
    typeof payload.timestamp === "number" &&
    payload.hookEventName === undefined
  );
}

/** Copilot runs Claude Code's hooks in a repository. Claude Code's payloads have no time; other agents' have more. */
function isInSnakeCase(payload: Payload, calledAs: string | undefined): boolean {
  if (textOf(payload.hook_event_name) === undefined || !isIsoTime(payload.timestamp)) return false;
  if (payload.permission_mode !== undefined || textOf(payload.session_id) === undefined) return false;
  const transcript = textOf(payload.transcript_path);
  if (transcript !== undefined) return /[\\/]session-state[\\/][^\\/]+[\\/]events\.jsonl$/.test(transcript);
  return calledAs === "claude-code" || payload.error_context !== undefined || payload.initial_prompt !== undefined;
}

/** The event, by the fields that only it has. */
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

/** Each tool has two names: lower case under camelCase keys, Claude Code's under PascalCase keys. */
const questionTool = "ask_user";

const copilotTools: ToolReaders = {
  [questionTool]: "asksQuestions",
  bash: "runs",
  Bash: "runs",
  powershell: "runs",
  edit: "edits",
  Edit: "edits",
  str_replace_editor: "edits",
  create: "writes",
  Write: "writes",
  view: "reads",
  Read: "reads",
  web_fetch: "fetches",
  WebFetch: "fetches",
  web_search: "searches",
  task: "startsSubagent",
  Agent: "startsSubagent",
};
