// What is read out of each payload of Qwen Code.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  InstructionsLoaded: {
    name: "InstructionsLoaded",
  },
  MessageDisplay: {
    name: "MessageDisplay",
  },
  "Notification-auth-success": {
    name: "Notification",
    message: "Successfully authenticated with openai",
    title: "Authentication successful",
    notificationType: "auth_success",
  },
  "Notification-idle-prompt": {
    name: "Notification",
    message: "Qwen Code is waiting for your input",
    title: "Waiting for input",
    notificationType: "idle_prompt",
  },
  "Notification-permission-prompt": {
    name: "Notification",
    message: "Qwen Code needs your permission to use run_shell_command",
    title: "Permission needed",
    notificationType: "permission_prompt",
  },
  "PermissionRequest-run-shell-command": {
    headline: "asks to run a command",
    name: "PermissionRequest",
    message: "run `touch needs-q`?",
    title: "run_shell_command",
    request: "run `touch needs-q`?",
  },
  PostToolBatch: {
    name: "PostToolBatch",
  },
  "PostToolUse-agent": {
    name: "PostToolUse",
    request: "start a subagent: check the project?",
    durationMs: 65,
    usage: { level: "auto-high", tool: "agent" },
  },
  "PostToolUse-run-shell-command": {
    name: "PostToolUse",
    request: "run `touch byqwen`?",
    durationMs: 26,
    usage: { level: "auto-high", tool: "run_shell_command" },
  },
  "PreToolUse-agent": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    message: "start a subagent: check the project?",
    title: "agent",
    request: "start a subagent: check the project?",
  },
  "PreToolUse-run-shell-command": {
    headline: "asks to run a command",
    name: "PreToolUse",
    message: "run `touch byqwen`?",
    title: "run_shell_command",
    request: "run `touch byqwen`?",
  },
  "SessionEnd-prompt-input-exit": {
    name: "SessionEnd",
    reason: "prompt_input_exit",
  },
  "SessionStart-startup": {
    name: "SessionStart",
  },
  Stop: {
    name: "Stop",
    message: "All tests pass.",
    runningHelpers: 0,
  },
  SubagentStart: {
    name: "SubagentStart",
    subagent: "general-purpose",
  },
  SubagentStop: {
    name: "SubagentStop",
    message: "All tests pass.",
    subagent: "general-purpose",
    runningHelpers: 0,
  },
  UserPromptExpansion: {
    name: "UserPromptExpansion",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {
  StopFailure: {
    name: "StopFailure",
    reason: "loop_detected",
  },
};
