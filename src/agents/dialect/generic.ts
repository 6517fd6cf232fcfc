// The generic dialect, for anything that can pipe JSON to a command.
import type { Agent, EventFacts, Payload } from "./agent.ts";
import { filledString, optionalArray, optionalBoolean, optionalString } from "./fields.ts";
import { readFigures } from "./figures.ts";
import { toolFacts } from "./tool-line.ts";
import { millisecondsOf, textOf } from "./values.ts";

/** `droid` and `claude-code` have more. */
export const genericEvents: Agent["events"] = {
  Notification: { message: optionalString, title: optionalString, notification_type: optionalString },
  Stop: {
    stop_hook_active: optionalBoolean,
    last_assistant_message: optionalString,
    background_tasks: optionalArray,
  },
  SubagentStop: {
    stop_hook_active: optionalBoolean,
    last_assistant_message: optionalString,
    background_tasks: optionalArray,
    agent_id: optionalString,
    agent_type: optionalString,
  },
  SessionEnd: { reason: filledString },
  UserPromptSubmit: { prompt: optionalString },
  StopFailure: { error: optionalString, last_assistant_message: optionalString },
};

/** Most agents have them. */
export const commonTypes = {
  message: "string",
  title: "string",
  notification_type: "string",
  last_assistant_message: "string",
  reason: "string",
  agent_type: "string",
  background_tasks: "array",
} as const satisfies Agent["types"];

export function genericFacts(payload: Payload): EventFacts {
  return {
    session: textOf(payload.session_id) ?? "unknown",
    cwd: textOf(payload.cwd) ?? "",
    message: textOf(payload.message) ?? textOf(payload.last_assistant_message),
    title: textOf(payload.title),
    reason: textOf(payload.reason) ?? textOf(payload.error) ?? textOf(payload.error_type),
    notificationType: textOf(payload.notification_type),
    subagent: textOf(payload.agent_type) ?? textOf(payload.agent_id),
    figures: readFigures(payload.figures),
  };
}

export const genericCommon: Agent["common"] = {
  hook_event_name: filledString,
  session_id: filledString,
  cwd: filledString,
  transcript_path: optionalString,
  permission_mode: optionalString,
};

export const generic: Agent = {
  id: "generic",
  name: "Agent",
  docs: "https://docs.factory.ai/reference/hooks-reference",
  isAuthor: () => false,
  isCalling: () => true,
  acceptsCamelCase: true,
  common: genericCommon,
  events: genericEvents,
  types: { source: "string", tool_name: "string", error_details: "string" },
  facts(payload, eventName) {
    const durationMs = millisecondsOf(payload.duration_ms);
    const facts = { ...genericFacts(payload), ...(durationMs === undefined ? {} : { durationMs }) };
    if (eventName !== "PermissionRequest") return facts;
    const asked = toolFacts({}, payload);
    return { ...facts, ...asked, message: facts.message ?? asked.message, title: facts.title ?? asked.title };
  },
};
