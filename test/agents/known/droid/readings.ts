// What is read out of each payload of Droid.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  "Notification-elicitation-dialog": {
    name: "Notification",
    message: "Factory CLI is asking the user 1 question(s)",
    notificationType: "elicitation_dialog",
  },
  "Notification-idle-prompt": {
    name: "Notification",
    ignored: "the user stopped the turn",
    message: "Agent stopped by user and is waiting for input",
    notificationType: "idle_prompt",
  },
  "Notification-permission-prompt": {
    name: "Notification",
    message: "Factory CLI needs permission to execute 1 tool(s)",
    notificationType: "permission_prompt",
  },
  "PostToolUse-Execute": {
    name: "PostToolUse",
    usage: { level: "auto-high", tool: "Execute" },
  },
  "PostToolUse-Task": {
    name: "PostToolUse",
    usage: { level: "auto-high", tool: "Task" },
  },
  "PreToolUse-AskUser": {
    name: "PreToolUse",
  },
  "PreToolUse-Execute": {
    name: "PreToolUse",
  },
  "PreToolUse-Task": {
    name: "PreToolUse",
  },
  "SessionEnd-other": {
    name: "SessionEnd",
    reason: "other",
  },
  "SessionStart-startup": {
    name: "SessionStart",
  },
  Stop: {
    name: "Stop",
  },
  SubagentStop: {
    name: "SubagentStop",
    message: "All tests pass.",
    subagent: "check the project",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {
  "Notification-idle-without-type": {
    name: "Notification",
    message: "Droid is waiting for your input",
    notificationType: "idle_prompt",
  },
  "Notification-without-type": {
    name: "Notification",
    message: "Droid needs your permission to use Execute",
    notificationType: "permission_prompt",
  },
  SessionEnd: {
    name: "SessionEnd",
    reason: "prompt_input_exit",
  },
  "Stop-in-camel-case": {
    name: "Stop",
  },
};
