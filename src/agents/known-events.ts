// Which events hookbell knows, of any agent and of its own.
import { knownEventNames } from "../model/event.ts";
import { agentEventNames } from "./event-names.ts";
import { agents } from "./index.ts";

/** What a dispatcher notes of a session beside what its agent reports. */
export const observations: ReadonlySet<string> = new Set([
  "Answered",
  "Interrupted",
  "Idle",
  "ReviewOver",
  "ProcessGone",
]);

/** What agents' dialects read, beside the events of which rules are told. */
const others = [
  "Interrupt",
  "PermissionResult",
  "SubagentStart",
  "PostToolUseFailure",
  "errorOccurred",
  "permission.replied",
  "question.replied",
  "session.status",
  "pre_user_prompt",
  "pre_run_command",
  "pre_read_code",
  "pre_write_code",
  "pre_mcp_tool_use",
  "post_run_command",
  "post_read_code",
  "post_write_code",
  "post_mcp_tool_use",
];

const known: ReadonlySet<string> = new Set([
  ...knownEventNames,
  ...agentEventNames,
  ...agents.flatMap(({ eventNames = {} }) => Object.entries(eventNames).flat()),
  ...observations,
  ...others,
]);

export function isKnownEvent(name: string): boolean {
  return known.has(name);
}
