// What the agents of src/agents/family/rows.ts write, from their makers' pages and from what others have published of real runs, and
// what is read out of it: one table for each agent, by the event.
import type { ExpectedReading } from "../../support/agents/expected-reading.ts";

export interface DocumentedEvent {
  payload: Readonly<Record<string, unknown>>;
  reads: ExpectedReading;
}

type Table = Readonly<Record<string, DocumentedEvent>>;

const cwd = "/home/u/proj";

/** The fields of every payload of an agent that has Claude Code's names. */
const claude = (folder: string, event: string, more: Readonly<Record<string, unknown>>) => ({
  session_id: "5f0c6f6e-3d0e-4f53-9a55-8d2f7e1f3a10",
  transcript_path: `/home/u/${folder}/projects/proj/5f0c6f6e.jsonl`,
  cwd,
  hook_event_name: event,
  ...more,
});

/** Grok Build 1.0.5: https://github.com/entireio/cli/blob/main/cmd/entire/cli/agent/grok/AGENT.md has payloads of a real run. */
const grokFields = (event: string, more: Readonly<Record<string, unknown>>) => ({
  hookEventName: event,
  sessionId: "01a03a9f-0f3b-78d2-bad3-cf2ad4e0ff2e",
  cwd,
  workspaceRoot: `${cwd}/`,
  timestamp: "2026-08-25T20:31:47.328962+00:00",
  transcriptPath: "/home/u/.grok/sessions/%2Fhome%2Fu%2Fproj/01a03a9f-0f3b-78d2-bad3-cf2ad4e0ff2e/updates.jsonl",
  permissionMode: "default",
  ...more,
});
const grokTurn = { promptId: "556780c0-0459-4d6b-98e2-2a13a718524b" };

const grok: Table = {
  session_start: {
    payload: { ...grokFields("session_start", { source: "new" }), transcriptPath: undefined },
    reads: { name: "SessionStart", agentEvent: "session_start" },
  },
  "session_start-in-utc": {
    payload: {
      hookEventName: "session_start",
      sessionId: "abc-123",
      cwd,
      workspaceRoot: cwd,
      timestamp: "2026-04-14T12:00:00Z",
      source: "new",
    },
    reads: { name: "SessionStart", agentEvent: "session_start" },
  },
  user_prompt_submit: {
    payload: grokFields("user_prompt_submit", {
      ...grokTurn,
      prompt: "<user_query>\nCreate a file named hello.txt\n</user_query>",
    }),
    reads: { name: "UserPromptSubmit", agentEvent: "user_prompt_submit" },
  },
  "notification-permission": {
    payload: grokFields("notification", {
      ...grokTurn,
      notificationType: "permission_prompt",
      message: "Grok needs your permission to run a command",
    }),
    reads: {
      name: "Notification",
      agentEvent: "notification",
      notificationType: "permission_prompt",
      message: "Grok needs your permission to run a command",
    },
  },
  "notification-task": {
    payload: grokFields("notification", { notificationType: "task_complete", message: "The build is done" }),
    reads: {
      name: "Notification",
      agentEvent: "notification",
      notificationType: "task_complete",
      message: "The build is done",
    },
  },
  stop: {
    payload: grokFields("stop", {
      ...grokTurn,
      reason: "end_turn",
      stopHookActive: false,
      lastAssistantMessage: "Created `hello.txt` with the word hello.",
      backgroundTasks: [],
      sessionCrons: [],
    }),
    reads: {
      name: "Stop",
      agentEvent: "stop",
      message: "Created `hello.txt` with the word hello.",
      reason: "end_turn",
      runningHelpers: 0,
    },
  },
  "stop-at-shutdown": {
    payload: grokFields("stop", { reason: "shutdown", stopHookActive: false }),
    reads: { name: "SessionEnd", agentEvent: "stop", reason: "shutdown" },
  },
  "stop_cancelled-by-escape": {
    payload: grokFields("stop_cancelled", {
      ...grokTurn,
      reason: "user_interrupt",
      cancelledBy: "user",
      cancelTrigger: "esc",
    }),
    reads: {
      name: "Stop",
      agentEvent: "stop_cancelled",
      reason: "user_interrupt",
      means: "interrupted",
      ignored: "the user stopped the turn",
    },
  },
  "stop_cancelled-by-itself": {
    payload: grokFields("stop_cancelled", { ...grokTurn, reason: "max_turns", cancelledBy: "runtime" }),
    reads: { name: "Stop", agentEvent: "stop_cancelled", reason: "max_turns" },
  },
  stop_failure: {
    payload: grokFields("stop_failure", { ...grokTurn, error: "rate_limit", errorDetails: "429 Too Many Requests" }),
    reads: {
      name: "StopFailure",
      agentEvent: "stop_failure",
      reason: "rate_limit",
      message: "429 Too Many Requests",
    },
  },
  subagent_stop: {
    payload: grokFields("subagent_stop", { ...grokTurn, subagentType: "explore", phase: "completed" }),
    reads: { name: "SubagentStop", agentEvent: "subagent_stop", subagent: "explore" },
  },
  session_end: {
    payload: grokFields("session_end", { reason: "shutdown" }),
    reads: { name: "SessionEnd", agentEvent: "session_end", reason: "shutdown" },
  },
};

/** Devin CLI 3000.2.17 and 3000.6.7: https://github.com/entireio/external-agents/blob/main/agents/entire-agent-devin/AGENT.md */
const devinFields = (event: string, more: Readonly<Record<string, unknown>>) => ({
  hook_event_name: event,
  session_id: "snowy-efraasia",
  ...more,
});
const devinTurn = { prompt_id: "0f6f7c52-6f0e-4f57-a7b1-5b2f6f3c9d10" };

const devin: Table = {
  SessionStart: {
    payload: devinFields("SessionStart", { source: "startup" }),
    reads: { name: "SessionStart", cwd: "" },
  },
  UserPromptSubmit: {
    payload: devinFields("UserPromptSubmit", { ...devinTurn, prompt: "hello there" }),
    reads: { name: "UserPromptSubmit", cwd: "" },
  },
  PermissionRequest: {
    payload: devinFields("PermissionRequest", {
      ...devinTurn,
      tool_name: "exec",
      tool_input: { command: "npm test" },
      tool_use_id: "exec_0",
    }),
    reads: {
      name: "PermissionRequest",
      cwd: "",
      title: "exec",
      headline: "asks to run a command",
      message: "run `npm test`?",
      request: "run `npm test`?",
    },
  },
  Stop: {
    payload: devinFields("Stop", { ...devinTurn, stop_hook_active: false, last_assistant_message: "All tests pass." }),
    reads: { name: "Stop", cwd: "", message: "All tests pass." },
  },
  "Stop-with-empty-transcript": {
    payload: devinFields("Stop", { transcript_path: "", cwd, stop_hook_active: false }),
    reads: { name: "Stop" },
  },
  SessionEnd: {
    payload: devinFields("SessionEnd", { ...devinTurn, reason: "session_complete" }),
    reads: { name: "SessionEnd", cwd: "", reason: "session_complete" },
  },
};

/** The events that several agents have taken over from Claude Code without a change. */
const claudeTable = (folder: string, names: readonly string[]): Table => {
  const payloadOf = (event: string, more: Readonly<Record<string, unknown>>) => claude(folder, event, more);
  const all: Table = {
    PermissionRequest: {
      payload: payloadOf("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } }),
      reads: {
        name: "PermissionRequest",
        title: "Bash",
        headline: "asks to run a command",
        message: "run `npm test`?",
        request: "run `npm test`?",
      },
    },
    Notification: {
      payload: payloadOf("Notification", {
        message: "needs your permission to use Bash",
        notification_type: "permission_prompt",
      }),
      reads: {
        name: "Notification",
        message: "needs your permission to use Bash",
        notificationType: "permission_prompt",
      },
    },
    Stop: {
      payload: payloadOf("Stop", { stop_hook_active: false, last_assistant_message: "All tests pass." }),
      reads: { name: "Stop", message: "All tests pass." },
    },
    "Stop-without-words": { payload: payloadOf("Stop", { stop_hook_active: false }), reads: { name: "Stop" } },
    StopFailure: {
      payload: payloadOf("StopFailure", { error: "rate_limit", error_details: "429 Too Many Requests" }),
      reads: { name: "StopFailure", reason: "rate_limit", message: "429 Too Many Requests" },
    },
    SubagentStop: {
      payload: payloadOf("SubagentStop", { stop_hook_active: false, agent_id: "a1", agent_type: "explore" }),
      reads: { name: "SubagentStop", subagent: "explore" },
    },
    UserPromptSubmit: {
      payload: payloadOf("UserPromptSubmit", { prompt: "hello there" }),
      reads: { name: "UserPromptSubmit" },
    },
    SessionStart: { payload: payloadOf("SessionStart", { source: "startup" }), reads: { name: "SessionStart" } },
    SessionEnd: {
      payload: payloadOf("SessionEnd", { reason: "other" }),
      reads: { name: "SessionEnd", reason: "other" },
    },
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
};

/** From src/hooks/types.ts of https://github.com/letta-ai/letta-code. */
const lettaFields = (event: string, more: Readonly<Record<string, unknown>>) => ({
  event_type: event,
  working_directory: cwd,
  session_id: "session-1",
  ...more,
});

const letta: Table = {
  PermissionRequest: {
    payload: lettaFields("PermissionRequest", {
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      permission: { type: "ask" },
    }),
    reads: {
      name: "PermissionRequest",
      title: "Bash",
      headline: "asks to run a command",
      message: "run `npm test`?",
      request: "run `npm test`?",
    },
  },
  Notification: {
    payload: lettaFields("Notification", { message: "Waiting for you", level: "info" }),
    reads: { name: "Notification", message: "Waiting for you" },
  },
  Stop: {
    payload: lettaFields("Stop", { stop_reason: "end_turn", message_count: 3, tool_call_count: 1 }),
    reads: { name: "Stop" },
  },
  "Stop-with-words": {
    payload: lettaFields("Stop", { stop_reason: "end_turn", assistant_message: "All tests pass." }),
    reads: { name: "Stop", message: "All tests pass." },
  },
  SubagentStop: {
    payload: lettaFields("SubagentStop", {
      subagent_type: "explore",
      subagent_id: "sub-1",
      success: true,
      agent_id: "agent-1",
    }),
    reads: { name: "SubagentStop", subagent: "explore" },
  },
  UserPromptSubmit: {
    payload: lettaFields("UserPromptSubmit", { prompt: "hello there", is_command: false, agent_id: "agent-1" }),
    reads: { name: "UserPromptSubmit" },
  },
  "SessionStart-of-a-conversation": {
    payload: {
      event_type: "SessionStart",
      working_directory: cwd,
      is_new_session: true,
      agent_id: "agent-1",
      agent_name: "Ada",
      conversation_id: "conversation-1",
    },
    reads: { name: "SessionStart" },
  },
  SessionEnd: {
    payload: lettaFields("SessionEnd", { duration_ms: 1000, message_count: 3, tool_call_count: 1 }),
    reads: { name: "SessionEnd" },
  },
};

/** Tabnine has Gemini CLI's fields. */
const tabnineFields = (event: string, more: Readonly<Record<string, unknown>>) => ({
  session_id: "3da324e4-ca76-47b0-a266-103edfa944b6",
  transcript_path: "/home/u/.tabnine/agent/tmp/proj/chats/session-2026-11-21T10-24-3da324e4.json",
  cwd,
  hook_event_name: event,
  timestamp: "2026-11-21T10:24:41.442Z",
  ...more,
});

const tabnine: Table = {
  Notification: {
    payload: tabnineFields("Notification", {
      notification_type: "ToolPermission",
      message: "Tool requires confirmation",
      details: { type: "exec", title: "Confirm", command: "npm test" },
    }),
    reads: {
      name: "Notification",
      headline: "asks to run a command",
      message: "run `npm test`?",
      request: "run `npm test`?",
      notificationType: "permission_prompt",
    },
  },
  BeforeAgent: {
    payload: tabnineFields("BeforeAgent", { prompt: "hello there" }),
    reads: { name: "UserPromptSubmit", agentEvent: "BeforeAgent" },
  },
  AfterAgent: {
    payload: tabnineFields("AfterAgent", {
      prompt: "hello there",
      prompt_response: "All tests pass.",
      stop_hook_active: false,
    }),
    reads: { name: "Stop", agentEvent: "AfterAgent", message: "All tests pass." },
  },
  SessionEnd: {
    payload: tabnineFields("SessionEnd", { reason: "exit" }),
    reads: { name: "SessionEnd", reason: "exit" },
  },
};

const common = ["SubagentStop", "SessionStart", "UserPromptSubmit", "SessionEnd", "PermissionRequest", "Notification"];

/** By the agents' ids. */
export const documented: Readonly<Record<string, Table>> = {
  grok,
  devin,
  qoder: claudeTable(".qoder", [...common, "Stop", "StopFailure"]),
  codebuddy: claudeTable(".codebuddy", [...common, "Stop-without-words", "StopFailure"]),
  letta,
  cortex: claudeTable(".snowflake/cortex", [...common, "Stop-without-words"]),
  muse: claudeTable(".local/share/muse", ["Stop", "SubagentStop", "SessionStart", "PermissionRequest"]),
  tabnine,
};
