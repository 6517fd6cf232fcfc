// What is read out of each payload of Copilot CLI.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  "camel-agentStop-in-subagent": {
    name: "Stop",
    agentEvent: "agentStop",
    ignored: "a subagent's own stop: SubagentStop reports it",
    helperOf: "92a6518c-02ab-422a-b20e-438d3471f172",
    subagent: "explore",
  },
  "camel-agentStop": {
    name: "Stop",
    agentEvent: "agentStop",
  },
  "camel-errorOccurred": {
    name: "StopFailure",
    agentEvent: "errorOccurred",
    message: "invalid x-api-key",
    reason: "authentication_failed",
  },
  "camel-notification-permission-prompt": {
    headline: "asks to run a command",
    name: "Notification",
    message: "run `touch needs-p`?",
    title: "Permission needed",
    notificationType: "permission_prompt",
    request: "run `touch needs-p`?",
  },
  "camel-permissionRequest-bash": {
    headline: "asks to run a command",
    name: "PermissionRequest",
    agentEvent: "permissionRequest",
    message: "run `touch needs-p`?",
    title: "bash",
    request: "run `touch needs-p`?",
  },
  "camel-postToolUse-bash": {
    name: "PostToolUse",
    agentEvent: "postToolUse",
    request: "run `touch bycopilot`?",
    usage: { tool: "bash" },
  },
  "camel-postToolUse-task": {
    name: "PostToolUse",
    agentEvent: "postToolUse",
    request: "start a subagent: check the project?",
    usage: { tool: "task" },
  },
  "camel-preToolUse-bash": {
    headline: "asks to run a command",
    name: "PreToolUse",
    agentEvent: "preToolUse",
    message: "run `touch needs-p`?",
    title: "bash",
    request: "run `touch needs-p`?",
  },
  "camel-preToolUse-task": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    agentEvent: "preToolUse",
    message: "start a subagent: check the project?",
    title: "task",
    request: "start a subagent: check the project?",
  },
  "camel-sessionEnd-complete": {
    name: "SessionEnd",
    agentEvent: "sessionEnd",
    reason: "complete",
  },
  "camel-sessionEnd-user-exit": {
    name: "SessionEnd",
    agentEvent: "sessionEnd",
    reason: "user_exit",
  },
  "camel-sessionStart-new": {
    name: "SessionStart",
    agentEvent: "sessionStart",
  },
  "camel-subagentStart": {
    name: "SubagentStart",
    agentEvent: "subagentStart",
    subagent: "explore",
  },
  "camel-subagentStop": {
    name: "SubagentStop",
    agentEvent: "subagentStop",
    message: "All tests pass.",
    subagent: "explore",
  },
  "camel-userPromptSubmitted-in-subagent": {
    name: "UserPromptSubmit",
    agentEvent: "userPromptSubmitted",
    ignored: "a subagent's prompt",
    helperOf: "92a6518c-02ab-422a-b20e-438d3471f172",
    subagent: "explore",
  },
  "camel-userPromptSubmitted": {
    name: "UserPromptSubmit",
    agentEvent: "userPromptSubmitted",
  },
  "pascal-ErrorOccurred": {
    name: "StopFailure",
    agentEvent: "ErrorOccurred",
    message: "invalid x-api-key",
    reason: "authentication_failed",
  },
  "pascal-Notification-permission-prompt": {
    headline: "asks to run a command",
    name: "Notification",
    message: "run `touch needs-p`?",
    title: "Permission needed",
    notificationType: "permission_prompt",
    request: "run `touch needs-p`?",
  },
  "pascal-PermissionRequest-bash": {
    headline: "asks to run a command",
    name: "PermissionRequest",
    agentEvent: "permissionRequest",
    message: "run `touch needs-p`?",
    title: "bash",
    request: "run `touch needs-p`?",
  },
  "pascal-PostToolUse-Agent": {
    name: "PostToolUse",
    request: "start a subagent: check the project?",
    usage: { tool: "Agent" },
  },
  "pascal-PostToolUse-Bash": {
    name: "PostToolUse",
    request: "run `touch bycopilot`?",
    usage: { tool: "Bash" },
  },
  "pascal-PreToolUse-Agent": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    message: "start a subagent: check the project?",
    title: "Agent",
    request: "start a subagent: check the project?",
  },
  "pascal-PreToolUse-Bash": {
    headline: "asks to run a command",
    name: "PreToolUse",
    message: "run `touch needs-p`?",
    title: "Bash",
    request: "run `touch needs-p`?",
  },
  "pascal-SessionEnd-complete": {
    name: "SessionEnd",
    reason: "complete",
  },
  "pascal-SessionEnd-error": {
    name: "SessionEnd",
    reason: "error",
  },
  "pascal-SessionEnd-user-exit": {
    name: "SessionEnd",
    reason: "user_exit",
  },
  "pascal-SessionStart-new": {
    name: "SessionStart",
  },
  "pascal-Stop-in-subagent": {
    name: "Stop",
    ignored: "a subagent's own stop: SubagentStop reports it",
    helperOf: "92a6518c-02ab-422a-b20e-438d3471f172",
    subagent: "explore",
  },
  "pascal-Stop": {
    name: "Stop",
  },
  "pascal-SubagentStart": {
    name: "SubagentStart",
    agentEvent: "subagentStart",
    subagent: "explore",
  },
  "pascal-SubagentStop": {
    name: "SubagentStop",
    message: "All tests pass.",
    subagent: "explore",
  },
  "pascal-UserPromptSubmit-in-subagent": {
    name: "UserPromptSubmit",
    ignored: "a subagent's prompt",
    helperOf: "92a6518c-02ab-422a-b20e-438d3471f172",
    subagent: "explore",
  },
  "pascal-UserPromptSubmit": {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {
  "agentStop-of-old-release": {
    name: "Stop",
    agentEvent: "agentStop",
  },
  "errorOccurred-in-tool": {
    name: "errorOccurred",
    message: "File not found",
    reason: "ToolError",
  },
  "errorOccurred-rate-limit": {
    name: "StopFailure",
    agentEvent: "errorOccurred",
    message: "Rate limited",
    reason: "ApiError",
  },
  "notification-shell-completed": {
    name: "Notification",
    message: "Shell 1 completed",
    title: "Shell completed",
    notificationType: "shell_completed",
  },
};

// It has neither a session nor a time.
export const anonymous = ["agentStop-of-old-release"];
