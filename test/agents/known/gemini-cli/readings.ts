// What is read out of each payload of Gemini CLI.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  AfterAgent: {
    name: "Stop",
    agentEvent: "AfterAgent",
    message: "All tests pass.",
  },
  "AfterTool-run-shell-command": {
    name: "PostToolUse",
    request: "run `touch bygemini`?",
    agentEvent: "AfterTool",
    usage: { tool: "run_shell_command" },
  },
  BeforeAgent: {
    name: "UserPromptSubmit",
    agentEvent: "BeforeAgent",
  },
  "BeforeTool-run-shell-command": {
    headline: "asks to run a command",
    name: "BeforeTool",
    message: "run `touch bygemini`?",
    title: "run_shell_command",
    request: "run `touch bygemini`?",
  },
  "Notification-ToolPermission-exec": {
    headline: "asks to run a command",
    name: "Notification",
    message: "run `touch needs-g`?",
    notificationType: "permission_prompt",
    request: "run `touch needs-g`?",
  },
  PreCompress: {
    name: "PreCompress",
  },
  "SessionEnd-exit": {
    name: "SessionEnd",
    reason: "exit",
  },
  "SessionStart-startup": {
    name: "SessionStart",
  },
};

export const documented: Record<string, ExpectedReading> = {
  "Notification-ToolPermission-edit": {
    headline: "asks to edit a file",
    name: "Notification",
    message: "edit a.ts (+1 -1)?",
    notificationType: "permission_prompt",
    request: "edit a.ts (+1 -1)?",
  },
};
