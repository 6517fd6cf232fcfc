// What is read out of each payload of Kilo.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  "permission.asked": {
    headline: "asks to run a command",
    name: "Notification",
    agentEvent: "permission.asked",
    message: "run `touch bykilo`?",
    notificationType: "permission_prompt",
    request: "run `touch bykilo`?",
  },
  "permission.replied": { name: "permission.replied", reason: "once", isAnswer: true },
  "question.asked": {
    headline: "has a question",
    name: "Notification",
    agentEvent: "question.asked",
    message: "Which color? Red / Blue",
    notificationType: "elicitation_dialog",
    request: "Which color? Red / Blue",
  },
  "question.replied": { name: "question.replied", isAnswer: true },
  "session.created": { name: "SessionStart", agentEvent: "session.created" },
  "session.error-401": {
    name: "StopFailure",
    agentEvent: "session.error",
    message: "pretended failure 401",
    reason: "authentication_failed",
  },
  "session.error-aborted": {
    name: "StopFailure",
    agentEvent: "session.error",
    ignored: "the user stopped the turn",
    means: "interrupted",
    message: "Aborted",
    reason: "interrupted",
  },
  "session.idle": { name: "Stop", agentEvent: "session.idle", message: "Thanks." },
  "session.idle-stopped": {
    name: "Stop",
    agentEvent: "session.idle",
    ignored: "the user stopped the turn",
    means: "interrupted",
  },
  "session.status-busy": { name: "UserPromptSubmit", agentEvent: "session.status" },
};

export const documented: Record<string, ExpectedReading> = {};
