// What is read out of each payload of Claude Code.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  "Notification-agent-needs-input": {
    name: "Notification",
    message: "all tests pass. needs your input: approve Bash: touch /home/u/bg2",
    means: "elsewhere",
    notificationType: "agent_needs_input",
  },
  "Notification-elicitation-dialog": {
    name: "Notification",
    message: "Claude Code needs your input",
    notificationType: "elicitation_dialog",
  },
  "PermissionRequest-ExitPlanMode": {
    name: "PermissionRequest",
    headline: "has a plan",
    message: "start on the plan?",
    title: "ExitPlanMode",
    effort: "medium",
    request: "start on the plan?",
  },
  "PermissionRequest-mcp-shop-ask-color": {
    name: "PermissionRequest",
    headline: "asks to use a tool",
    message: "use ask_color of shop?",
    title: "mcp__shop__ask_color",
    effort: "medium",
    request: "use ask_color of shop?",
  },
  "SessionStart-compact": { name: "SessionStart", means: "compacted" },
  "Stop-with-background-shell": {
    name: "Stop",
    headline: "is done, a command runs",
    message: "started in background",
    effort: "medium",
    runningHelpers: 0,
  },
  "SubagentStop-of-compact": {
    name: "SubagentStop",
    ignored: "a subagent of Claude Code's own, such as that of /compact",
    message: "All tests pass.",
    subagent: "ac08e5ac045175bfe",
    effort: "medium",
    runningHelpers: 0,
    means: "compacted",
  },
  "Elicitation-form": {
    name: "Elicitation",
    message: "Book a table",
    title: "shop asks through Claude Code",
  },
  MessageDisplay: {
    name: "MessageDisplay",
  },
  "Notification-idle-prompt": {
    name: "Notification",
    message: "Claude is waiting for your input",
    notificationType: "idle_prompt",
  },
  "Notification-permission-prompt": {
    name: "Notification",
    message: "Claude needs your permission",
    notificationType: "permission_prompt",
  },
  "PermissionRequest-AskUserQuestion": {
    headline: "has a question",
    name: "PermissionRequest",
    effort: "medium",
    message: "Which colour? Red / Blue",
    title: "AskUserQuestion",
    request: "Which colour? Red / Blue",
  },
  "PermissionRequest-Bash": {
    headline: "asks to run a command",
    name: "PermissionRequest",
    effort: "medium",
    message: "run `touch perm-file`?",
    title: "Bash",
    request: "run `touch perm-file`?",
  },
  PostToolBatch: {
    name: "PostToolBatch",
    effort: "medium",
  },
  "PostToolUse-Agent": {
    name: "PostToolUse",
    request: "start a subagent: check the project?",
    durationMs: 13,
    effort: "medium",
    usage: { level: "manual", tool: "Agent" },
  },
  "PostToolUse-Bash": {
    name: "PostToolUse",
    request: "run `touch perm-file`?",
    durationMs: 71,
    effort: "medium",
    usage: { level: "manual", tool: "Bash" },
  },
  "PostToolUseFailure-Bash": {
    name: "PostToolUseFailure",
    request: "run `false`?",
    durationMs: 8,
    effort: "medium",
    reason: "Exit code 1",
    usage: { level: "manual", tool: "Bash" },
  },
  "PreToolUse-Agent": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    effort: "medium",
    message: "start a subagent: check the project?",
    title: "Agent",
    request: "start a subagent: check the project?",
  },
  "PreToolUse-Bash": {
    headline: "asks to run a command",
    name: "PreToolUse",
    effort: "medium",
    message: "run `touch perm-file`?",
    title: "Bash",
    request: "run `touch perm-file`?",
  },
  "SessionEnd-other": {
    name: "SessionEnd",
    reason: "other",
  },
  "SessionEnd-prompt-input-exit": {
    name: "SessionEnd",
    reason: "prompt_input_exit",
  },
  "SessionStart-clear": {
    name: "SessionStart",
  },
  "SessionStart-startup": {
    name: "SessionStart",
  },
  Stop: {
    name: "Stop",
    effort: "medium",
    message: "All tests pass.",
    runningHelpers: 0,
  },
  "StopFailure-authentication-failed": {
    name: "StopFailure",
    effort: "medium",
    message: "Invalid API key · Fix external API key",
    reason: "authentication_failed",
  },
  "StopFailure-model-not-found": {
    name: "StopFailure",
    effort: "medium",
    message:
      "There's an issue with the selected model (claude-opus-5-5). It may not exist or you may not have access to it. Run --model to pick a different model.",
    reason: "model_not_found",
  },
  "StopFailure-rate-limit": {
    name: "StopFailure",
    effort: "medium",
    message: "You've hit your 5-hour limit · resets 10am (Europe/Zurich)",
    reason: "rate_limit",
  },
  "StopFailure-server-error-500": {
    name: "StopFailure",
    effort: "medium",
    message:
      "API Error: 500 fake error 500. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8099).",
    reason: "server_error",
  },
  "StopFailure-server-error-529": {
    name: "StopFailure",
    effort: "medium",
    message:
      "API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:8099).",
    reason: "server_error",
  },
  SubagentStart: {
    name: "SubagentStart",
    subagent: "general-purpose",
  },
  SubagentStop: {
    name: "SubagentStop",
    effort: "medium",
    message: "All tests pass.",
    subagent: "general-purpose",
    runningHelpers: 0,
  },
  "UserPromptSubmit-task-notification": {
    name: "UserPromptSubmit",
    ignored: "the end of a background task, not a prompt",
    means: "resumed",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {
  Elicitation: {
    name: "Elicitation",
    message: "Which name?",
    title: "names asks through Claude Code",
  },
  ElicitationResult: {
    name: "ElicitationResult",
    isAnswer: true,
  },
  "Notification-agent-needs-input": {
    name: "Notification",
    message: "An agent needs your input",
    title: "Agent",
    means: "elsewhere",
    notificationType: "agent_needs_input",
  },
  "Notification-elicitation-complete": {
    name: "Notification",
    ignored: "the question has been answered",
    message: "Done",
    notificationType: "elicitation_complete",
    isAnswer: true,
  },
  "Notification-elicitation-dialog": {
    name: "Notification",
    message: "The server asks for a name",
    notificationType: "elicitation_dialog",
  },
  "Notification-of-old-release": {
    name: "Notification",
    message: "Claude needs your permission to use Bash",
    notificationType: "permission_prompt",
  },
  "Stop-with-background-tasks": {
    headline: "is done, a command runs",
    name: "Stop",
    message: "All tests pass.",
    runningHelpers: 0,
  },
  "UserPromptSubmit-in-helper": {
    name: "UserPromptSubmit",
    ignored: "a subagent's prompt",
    subagent: "Explore",
  },
};
