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

/** What stands in an event beside what stands in all of them, by the agent's own name of it. */
type Extras = Readonly<Record<string, Payload>>;

const words = "hookbell tries its hooks";

const claudeExtras: Extras = {
  Notification: { message: words, notification_type: "permission_prompt" },
  PermissionRequest: { tool_name: "Bash", tool_input: { command: "true", description: words } },
  Stop: { stop_hook_active: false, last_assistant_message: words },
  StopFailure: { error: "server_error", last_assistant_message: words },
  SubagentStop: { stop_hook_active: false, agent_id: "a1", agent_type: "general", last_assistant_message: words },
  SessionEnd: { reason: "other" },
  UserPromptSubmit: { prompt: words },
};

/** As Claude Code and those that took its form write it. */
const claudeLike =
  (more: (call: SampleCall) => Payload, extras: Extras = claudeExtras) =>
  (call: SampleCall): Payload => ({
    session_id: call.session,
    transcript_path: `${call.cwd}/transcript.jsonl`,
    cwd: call.cwd,
    hook_event_name: call.event,
    ...more(call),
    ...extras[call.event],
  });

const geminiExtras: Extras = {
  Notification: { notification_type: "ToolPermission", message: words, details: { type: "exec", title: words } },
  AfterAgent: { prompt: words, prompt_response: words, stop_hook_active: false },
  SessionEnd: { reason: "exit" },
  BeforeAgent: { prompt: words },
};

const copilotExtras: Extras = {
  Stop: { stop_reason: "end_turn", stop_hook_active: false },
  SubagentStop: { agent_id: "a1", agent_type: "explore", agent_name: "explore", stop_hook_active: false },
  ErrorOccurred: { error: { name: "Error", message: words }, error_context: "model_call", recoverable: false },
  SessionEnd: { reason: "complete" },
  UserPromptSubmit: { prompt: words },
};

/** In both cases at once, as its Notification is; the others in snake case. */
function copilotSample(call: SampleCall): Payload {
  const { event, session, cwd, at } = call;
  if (event !== "Notification") return claudeLike(copilotRest, copilotExtras)(call);
  const notification = { message: words, title: words, notification_type: "permission_prompt" };
  return { sessionId: session, timestamp: Date.parse(at), cwd, hook_event_name: event, ...notification };
}

const copilotRest = ({ session, cwd, at }: SampleCall): Payload => ({
  timestamp: at,
  transcript_path: `${cwd}/session-state/${session}/events.jsonl`,
});

const cursorExtras: Extras = {
  stop: { status: "completed", loop_count: 0 },
  subagentStop: { subagent_type: "explore", status: "completed", summary: words, duration_ms: 1 },
  sessionEnd: { reason: "completed", final_status: "completed" },
};

const opencodeExtras: Extras = {
  "session.error": { error: { name: "APIError", data: { message: words, statusCode: 500 } } },
  "session.status": { status: { type: "busy" } },
  "permission.replied": { reply: "once" },
};

/** What its own event bus has; the plug-in makes the payload of it. */
function opencodeEvent({ event, session }: SampleCall): Payload {
  const question = { id: session, permission: "bash", patterns: [words], questions: [{ question: words }] };
  const isQuestion = /asked$|updated$/.test(event);
  const info = event === "session.deleted" ? { info: { id: session } } : {};
  return {
    type: event,
    properties: { sessionID: session, ...(isQuestion ? question : {}), ...info, ...opencodeExtras[event] },
  };
}

const clineExtras: Extras = {
  TaskComplete: { taskComplete: { taskMetadata: { result: words } } },
  TaskError: { error: { name: "ApiError", message: words } },
  Notification: { notification: { event: "user_attention", message: words, waitingForUserInput: true } },
  SessionShutdown: { reason: "exit" },
};

const samples: Readonly<Record<string, (call: SampleCall) => Payload>> = {
  "claude-code": claudeLike(() => ({})),
  droid: claudeLike(() => ({ permission_mode: "auto-low" })),
  codex: claudeLike(() => ({ model: "sample", turn_id: "t1" })),
  "gemini-cli": claudeLike(({ at }) => ({ timestamp: at }), geminiExtras),
  "qwen-code": claudeLike(({ at }) => ({ timestamp: at, permission_mode: "default" })),
  "copilot-cli": copilotSample,
  cursor: ({ event, session, cwd }) => ({
    conversation_id: session,
    generation_id: "g1",
    hook_event_name: event,
    cursor_version: "0.0.0",
    workspace_roots: [cwd],
    ...cursorExtras[event],
  }),
  opencode: opencodeEvent,
  windsurf: ({ event, session, cwd, at }) => ({
    agent_action_name: event,
    trajectory_id: session,
    execution_id: "e1",
    timestamp: at,
    tool_info: { cwd, response: words, user_prompt: words },
  }),
  cline: ({ event, session, cwd, at }) => ({
    clineVersion: "",
    hookName: event,
    timestamp: at,
    taskId: session,
    workspaceRoots: [cwd],
    ...clineExtras[event],
  }),
  goose: ({ event, session, cwd }) => ({
    event,
    session_id: session,
    message: null,
    last_assistant_message: words,
    working_dir: cwd,
  }),
  kiro: ({ event, session, cwd }) => ({ hook_event_name: event, session_id: session, cwd, assistant_response: words }),
};

/** What an agent would hand to its hook for this event; undefined for an agent that is wired by hand. */
export function samplePayload(agentId: string, call: SampleCall): Payload | undefined {
  return Object.hasOwn(samples, agentId) ? samples[agentId]?.(call) : undefined;
}

/** The same for the one program that an older Codex calls. */
export function sampleNotify({ session, cwd }: SampleCall): Payload {
  const turn = { client: "codex-tui", "input-messages": [words], "last-assistant-message": words };
  return { type: "agent-turn-complete", "thread-id": session, "turn-id": "1", cwd, ...turn };
}

/** The variables by which an agent makes itself known to its hooks. */
export function sampleVariables(agentId: string, cwd: string, payload: Payload): Record<string, string> {
  const names = projectVariables[agentId] ?? [];
  // Droid exports every word of the payload, in lower case.
  const words = agentId === "droid" ? Object.entries(payload).filter(([, value]) => typeof value === "string") : [];
  return {
    ...(Object.fromEntries(words) as Record<string, string>),
    ...Object.fromEntries(names.map((name) => [name, cwd])),
    ...(agentId === "claude-code" ? { CLAUDECODE: "1" } : {}),
  };
}

const projectVariables: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["CLAUDE_PROJECT_DIR"],
  droid: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
  "gemini-cli": ["GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"],
  "qwen-code": ["QWEN_PROJECT_DIR"],
  cursor: ["CURSOR_PROJECT_DIR"],
};
