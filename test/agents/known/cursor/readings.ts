// What is read out of each payload of Cursor.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {};

export const documented: Record<string, ExpectedReading> = {
  afterAgentResponse: {
    name: "afterAgentResponse",
    message: "All tests pass.",
  },
  beforeSubmitPrompt: {
    name: "UserPromptSubmit",
    agentEvent: "beforeSubmitPrompt",
  },
  "sessionEnd-error": {
    name: "SessionEnd",
    agentEvent: "sessionEnd",
    message: "The model is overloaded.",
    reason: "error",
  },
  "sessionEnd-user-close": {
    name: "SessionEnd",
    agentEvent: "sessionEnd",
    reason: "user_close",
  },
  sessionStart: {
    name: "SessionStart",
    agentEvent: "sessionStart",
  },
  "stop-aborted": {
    name: "Stop",
    agentEvent: "stop",
    ignored: "the user stopped the turn",
    means: "interrupted",
    reason: "aborted",
  },
  "stop-completed": {
    name: "Stop",
    agentEvent: "stop",
  },
  "stop-error": {
    name: "StopFailure",
    agentEvent: "stop",
    reason: "error",
  },
  subagentStop: {
    name: "SubagentStop",
    agentEvent: "subagentStop",
    message: "All tests pass.",
    subagent: "explore",
    durationMs: 4500,
  },
};
