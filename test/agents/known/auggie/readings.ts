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
  "Stop-empty_completion": {
    name: "StopFailure",
    agentEvent: "Stop",
    message: "The model returned an empty response. This can happen after a timeout. Please try again.",
    reason: "empty_completion",
  },
  "Stop-interrupted": { name: "Stop", ignored: "the user stopped the turn", means: "interrupted" },
  "Stop-max_iterations": {
    name: "StopFailure",
    agentEvent: "Stop",
    message:
      "Your conversation has been paused after reaching the maximum number of iterations. Would you like to continue?",
    reason: "max_iterations",
  },
};

export const documented: Record<string, ExpectedReading> = {};
