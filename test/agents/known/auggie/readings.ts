// What is read out of each payload of Auggie.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  PostToolUse: { name: "PostToolUse", request: "run `touch x1`?", usage: { tool: "launch-process" } },
  "PostToolUse-denied": { name: "PostToolUse", request: "run `touch x4`?", usage: { tool: "launch-process" } },
  PreToolUse: {
    headline: "asks to run a command",
    name: "PreToolUse",
    message: "run `touch x1`?",
    title: "launch-process",
    request: "run `touch x1`?",
  },
  PromptSubmit: { name: "UserPromptSubmit", agentEvent: "PromptSubmit" },
  SessionEnd: { name: "SessionEnd", reason: "other" },
  SessionStart: { name: "SessionStart" },
  Stop: { name: "Stop", message: "The shop sells." },
  "Stop-interrupted": { name: "Stop", ignored: "the user stopped the turn", means: "interrupted" },
};

export const documented: Record<string, ExpectedReading> = {};
