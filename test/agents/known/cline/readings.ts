// What is read out of each payload of Cline.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  "PostToolUse-tool-result": {
    name: "PostToolUse",
    request: "run `bash -lc touch bycline`?",
    agentEvent: "tool_result",
    usage: { tool: "run_commands" },
  },
  "PreToolUse-tool-call": {
    headline: "asks to run a command",
    name: "PreToolUse",
    agentEvent: "tool_call",
    message: "run `bash -lc touch bycline`?",
    request: "run `bash -lc touch bycline`?",
    title: "run_commands",
  },
  "SessionShutdown-session-shutdown": {
    name: "Stop",
    agentEvent: "session_shutdown",
    ignored: "the user stopped the task",
    means: "interrupted",
  },
  "TaskComplete-agent-end": {
    name: "Stop",
    agentEvent: "agent_end",
    message: "All tests pass.",
  },
  "TaskError-agent-error": {
    name: "StopFailure",
    agentEvent: "agent_error",
    message: "invalid x-api-key",
    reason: "unknown",
  },
  "TaskStart-agent-start": {
    name: "UserPromptSubmit",
    agentEvent: "agent_start",
  },
};

export const documented: Record<string, ExpectedReading> = {
  "Notification-going-on": {
    name: "Notification",
    ignored: "Cline goes on by itself",
    message: "Half of it is done.",
    notificationType: "task_progress",
  },
  "Notification-waiting": {
    name: "Notification",
    message: "Which one?",
    notificationType: "agent_needs_input",
  },
  "TaskCancel-agent-abort": {
    name: "Stop",
    agentEvent: "agent_abort",
    ignored: "the user stopped the task",
    means: "interrupted",
    reason: "user_cancel",
  },
  TaskCancel: {
    name: "Stop",
    agentEvent: "TaskCancel",
    ignored: "the user stopped the task",
    means: "interrupted",
  },
  "TaskComplete-in-helper": {
    name: "SubagentStop",
    agentEvent: "agent_end",
    message: "All tests pass.",
    subagent: "agent_2",
  },
  TaskComplete: {
    name: "Stop",
    agentEvent: "TaskComplete",
    message: "All tests pass.",
  },
  TaskStart: {
    name: "UserPromptSubmit",
    agentEvent: "TaskStart",
  },
};
