// What is read out of each payload of Kimi Code.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  Interrupt: {
    name: "Interrupt",
    ignored: "the user interrupted the turn",
    reason: "cancelled",
    means: "interrupted",
  },
  "Notification-task-completed": {
    name: "Notification",
    message: "Wall time: 0.205 seconds\nwait completed.",
    title: "Background process completed",
    notificationType: "task_completed",
  },
  "PermissionRequest-Bash": {
    headline: "asks to run a command",
    name: "PermissionRequest",
    message: "run `touch z`?",
    title: "Bash",
    request: "run `touch z`?",
  },
  "PermissionResult-Bash-rejected": {
    name: "PermissionResult",
    reason: "rejected",
    isAnswer: true,
  },
  "PostToolUse-Agent": {
    name: "PostToolUse",
    request: "start a subagent: check it?",
    usage: { tool: "Agent" },
  },
  "PostToolUse-AskUserQuestion": {
    name: "PostToolUse",
    request: "Which colour? Red / Blue",
    usage: { tool: "AskUserQuestion" },
  },
  "PostToolUse-Bash": {
    name: "PostToolUse",
    request: "run `true`?",
    usage: { tool: "Bash" },
  },
  "PostToolUseFailure-Bash": {
    name: "PostToolUseFailure",
    request: "run `touch z`?",
    usage: { tool: "Bash" },
  },
  "PreToolUse-Agent": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    message: "start a subagent: check it?",
    title: "Agent",
    request: "start a subagent: check it?",
  },
  "PreToolUse-AskUserQuestion": {
    headline: "has a question",
    name: "PermissionRequest",
    agentEvent: "PreToolUse",
    message: "Which colour? Red / Blue",
    title: "AskUserQuestion",
    request: "Which colour? Red / Blue",
  },
  "PreToolUse-Bash": {
    headline: "asks to run a command",
    name: "PreToolUse",
    message: "run `touch z`?",
    title: "Bash",
    request: "run `touch z`?",
  },
  SessionEnd: {
    name: "SessionEnd",
    reason: "exit",
  },
  SessionStart: {
    name: "SessionStart",
  },
  Stop: {
    name: "Stop",
  },
  StopFailure: {
    name: "StopFailure",
    message: "400 fake error 400",
    reason: "api_status_error",
  },
  SubagentStart: {
    name: "SubagentStart",
    subagent: "coder",
  },
  SubagentStop: {
    name: "SubagentStop",
    message: "All tests pass.",
    subagent: "coder",
    means: "resumed",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {};
