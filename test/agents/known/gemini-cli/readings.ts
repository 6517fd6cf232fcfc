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
    agentEvent: "AfterTool",
    usage: { tool: "run_shell_command" },
  },
  BeforeAgent: {
    name: "UserPromptSubmit",
    agentEvent: "BeforeAgent",
  },
  "BeforeTool-run-shell-command": {
    name: "BeforeTool",
  },
  "Notification-ToolPermission-exec": {
    name: "Notification",
    message: "Tool Confirm Shell Command requires execution",
    notificationType: "permission_prompt",
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
    name: "Notification",
    message: "Tool Edit requires editing",
    notificationType: "permission_prompt",
  },
};
