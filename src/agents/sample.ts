// Samples with which `init --verify` and `doctor --verify` try an agent's hooks.
import type { Payload } from "./dialect/agent.ts";

export interface SampleCall {
  /** The agent's name for the event. */
  event: string;
  session: string;
  /** An absolute path. */
  cwd: string;
  /** ISO 8601. */
  at: string;
}

export interface AgentSample {
  payload(call: SampleCall): Payload;
  /** Variables that hold the project's folder. */
  projectVariables?: readonly string[];
  /** Variables that identify the agent. */
  variables?(payload: Payload): Record<string, string>;
}

export const sampleWords = "hookbell tries its hooks";

/** The fields that each event of Claude Code adds. */
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

/** The call of a tool that asks the user. */
export function sampleQuestion(event: string, tool: string): Payload {
  if (event !== "PreToolUse") return {};
  return { tool_name: tool, tool_input: { questions: [{ question: sampleWords }] } };
}

/** In Claude Code's form, which other agents have taken over. `more`: fields of every event. */
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
