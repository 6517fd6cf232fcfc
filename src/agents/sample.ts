// Made-up events, with which `init --verify` and `doctor --verify` try the hooks of an agent.
import type { Payload } from "./dialect/agent.ts";

/** What a sample is made for. */
export interface SampleCall {
  /** The agent's own name of the event. */
  event: string;
  session: string;
  /** An absolute path. */
  cwd: string;
  /** ISO 8601. */
  at: string;
}

/** How an agent calls its hook. */
export interface AgentSample {
  payload(call: SampleCall): Payload;
  /** Variables that hold the project's folder. */
  projectVariables?: readonly string[];
  /** Other variables by which the agent makes itself known. */
  variables?(payload: Payload): Record<string, string>;
}

export const sampleWords = "hookbell tries its hooks";

/** The fields of each event of Claude Code's, beside those that all events have. */
const claudeFields: Readonly<Record<string, Payload>> = {
  Notification: { message: sampleWords, notification_type: "permission_prompt" },
  PermissionRequest: { tool_name: "Bash", tool_input: { command: "true", description: sampleWords } },
  Stop: { stop_hook_active: false, last_assistant_message: sampleWords },
  StopFailure: { error: "server_error", last_assistant_message: sampleWords },
  SubagentStop: { stop_hook_active: false, agent_id: "a1", agent_type: "general", last_assistant_message: sampleWords },
  SessionEnd: { reason: "other" },
  UserPromptSubmit: { prompt: sampleWords },
  PostToolUse: { tool_name: "Bash", tool_input: { command: "true", description: sampleWords }, tool_response: "" },
  PostToolUseFailure: { tool_name: "Bash", tool_input: { command: "true", description: sampleWords }, error: "" },
};

/** A payload in the form of Claude Code, which other agents have taken over; `more` are fields of every event. */
export function claudeSample(
  more: (call: SampleCall) => Payload = () => ({}),
  fields: Readonly<Record<string, Payload>> = claudeFields,
): AgentSample["payload"] {
  return (call) => ({
    session_id: call.session,
    transcript_path: `${call.cwd}/transcript.jsonl`,
    cwd: call.cwd,
    hook_event_name: call.event,
    ...more(call),
    ...fields[call.event],
  });
}
