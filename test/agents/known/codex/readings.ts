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
  "PostToolUse-Bash": {
    name: "PostToolUse",
    request: "run `echo hi`?",
    usage: { level: "auto-high", tool: "Bash" },
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
    name: "UserPromptSubmit",
    ignored: "a subagent's prompt",
    subagent: "default",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};

export const documented: Record<string, ExpectedReading> = {};
