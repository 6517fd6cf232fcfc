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
    means: "interrupted",
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
    request: "run `touch madebydroid`?",
    usage: { level: "auto-high", tool: "Execute" },
  },
  "PostToolUse-Task": {
    name: "PostToolUse",
    request: "start a subagent: check the project?",
    usage: { level: "auto-high", tool: "Task" },
  },
  "PreToolUse-AskUser": {
    headline: "has a question",
    name: "PreToolUse",
    message: "Which one? A / B",
    title: "AskUser",
    request: "Which one? A / B",
  },
  "PreToolUse-Execute": {
    headline: "asks to run a command",
    name: "PreToolUse",
    message: "run `touch madebydroid`?",
    title: "Execute",
    request: "run `touch madebydroid`?",
  },
  "PreToolUse-Task": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    message: "start a subagent: check the project?",
    title: "Task",
    request: "start a subagent: check the project?",
  },
  "SessionEnd-in-helper": {
    name: "SessionEnd",
    reason: "other",
  },
  "SessionEnd-other": {
    name: "SessionEnd",
    reason: "other",
  },
  "SessionStart-in-helper": {
    name: "SessionStart",
    helperOf: "1911a9b9-64e0-49ac-ade5-a6eeafa2e6e5",
  },
  "SessionStart-startup": {
    name: "SessionStart",
  },
  "Stop-in-helper": {
    name: "Stop",
  },
  Stop: {
    name: "Stop",
  },
  SubagentStop: {
    name: "SubagentStop",
    message: "All tests pass.",
    subagent: "check the project",
  },
  "UserPromptSubmit-in-helper": {
    name: "UserPromptSubmit",
    ignored: "a subagent's prompt",
    helperOf: "unknown",
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
