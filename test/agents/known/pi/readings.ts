// What is read out of each payload of pi.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  agent_settled: { name: "Stop", agentEvent: "agent_settled", message: "Made it." },
  "agent_settled-aborted": {
    name: "Stop",
    agentEvent: "agent_settled",
    ignored: "the user stopped the turn",
    means: "interrupted",
  },
  "agent_settled-error-401": {
    name: "StopFailure",
    agentEvent: "agent_settled",
    message: "pretended failure 401",
    reason: "authentication_failed",
  },
  input: { name: "UserPromptSubmit", agentEvent: "input" },
  "session_shutdown-new": { name: "SessionEnd", agentEvent: "session_shutdown", reason: "new" },
  "session_shutdown-quit": { name: "SessionEnd", agentEvent: "session_shutdown", reason: "quit" },
  "session_start-new": { name: "SessionStart", agentEvent: "session_start", reason: "new" },
  "session_start-startup": { name: "SessionStart", agentEvent: "session_start", reason: "startup" },
  "ui_prompt_end-custom": { name: "ui_prompt_end", isAnswer: true },
  "ui_prompt_end-select": { name: "ui_prompt_end", isAnswer: true },
  "ui_prompt_start-custom": {
    headline: "has a question",
    name: "Notification",
    agentEvent: "ui_prompt_start",
    message: "Which color? Red / Blue",
    notificationType: "elicitation_dialog",
    request: "Which color? Red / Blue",
  },
  "ui_prompt_start-select": {
    name: "Notification",
    agentEvent: "ui_prompt_start",
    message: "Run this command?\n\n  touch made",
    notificationType: "elicitation_dialog",
    request: "Run this command?\n\n  touch made",
  },
};

export const documented: Record<string, ExpectedReading> = {};
