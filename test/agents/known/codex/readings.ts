// What is read out of each payload of Codex.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  Interrupt: {
    name: "Interrupt",
    ignored: "the user interrupted the turn",
    means: "interrupted",
  },
  "PermissionRequest-Bash": {
    headline: "asks to run a command",
    name: "PermissionRequest",
    message: "run `touch /home/u/proj/perm`?",
    title: "Bash",
    request: "run `touch /home/u/proj/perm`?",
  },
  "PermissionRequest-mcp-shop-ask-color": {
    headline: "asks to use a tool",
    name: "PermissionRequest",
    message: "use ask_color of shop?",
    title: "mcp__shop__ask_color",
    request: "use ask_color of shop?",
  },
  "PostToolUse-Bash": {
    name: "PostToolUse",
    request: "run `echo hi`?",
    usage: { level: "auto-high", tool: "Bash" },
  },
  "PostToolUse-request-user-input": {
    name: "PostToolUse",
    request: "Which color do you want? Red (Recommended) / Blue",
    usage: { level: "manual", tool: "request_user_input" },
  },
  "PostToolUse-spawn-agent": {
    name: "PostToolUse",
    request: "start a subagent: look around?",
    usage: { level: "auto-high", tool: "spawn_agent" },
  },
  "PreToolUse-Bash": {
    headline: "asks to run a command",
    name: "PreToolUse",
    message: "run `echo hi`?",
    title: "Bash",
    request: "run `echo hi`?",
  },
  "PreToolUse-request-user-input": {
    headline: "has a question",
    name: "PermissionRequest",
    agentEvent: "PreToolUse",
    message: "Which color do you want? Red (Recommended) / Blue",
    title: "request_user_input",
    request: "Which color do you want? Red (Recommended) / Blue",
  },
  "PreToolUse-spawn-agent": {
    headline: "asks for a subagent",
    name: "PreToolUse",
    message: "start a subagent: look around?",
    title: "spawn_agent",
    request: "start a subagent: look around?",
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
    message: "All tests pass.",
  },
  SubagentStart: {
    name: "SubagentStart",
    subagent: "default",
  },
  SubagentStop: {
    name: "SubagentStop",
    message: "All tests pass.",
    subagent: "default",
  },
  "UserPromptSubmit-in-subagent": {
    name: "SubagentStart",
    agentEvent: "UserPromptSubmit",
    ignored: "a subagent's prompt",
    subagent: "default",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {};
