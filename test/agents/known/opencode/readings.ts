// What is read out of each payload of opencode.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {
  "permission.asked": {
    headline: "asks to run a command",
    name: "Notification",
    agentEvent: "permission.asked",
    message: "run `touch byopencode`?",
    notificationType: "permission_prompt",
    request: "run `touch byopencode`?",
  },
  "permission.replied": {
    name: "permission.replied",
    reason: "reject",
    isAnswer: true,
  },
  "session.created": {
    name: "SessionStart",
    agentEvent: "session.created",
  },
  "session.error": {
    name: "StopFailure",
    agentEvent: "session.error",
    message: "invalid x-api-key",
    reason: "authentication_failed",
  },
  "session.idle": {
    name: "Stop",
    agentEvent: "session.idle",
  },
  "session.idle-stopped": {
    name: "Stop",
    agentEvent: "session.idle",
    ignored: "the user stopped the turn",
    means: "interrupted",
  },
  "session.status-busy": {
    name: "UserPromptSubmit",
    agentEvent: "session.status",
  },
  "session.status-idle": {
    name: "session.status",
    ignored: "session.idle says the same",
  },
};

export const documented: Record<string, ExpectedReading> = {
  "permission.updated": {
    headline: "asks to run a command",
    name: "Notification",
    agentEvent: "permission.updated",
    message: "run `rm -rf build`?",
    notificationType: "permission_prompt",
    request: "run `rm -rf build`?",
  },
  "question.asked": {
    headline: "has 2 questions",
    name: "Notification",
    agentEvent: "question.asked",
    message: "Which one? A\nWhy?",
    notificationType: "elicitation_dialog",
    request: "Which one? A\nWhy?",
  },
  "question.replied": {
    name: "question.replied",
    isAnswer: true,
  },
  "session.created-in-helper": {
    name: "SessionStart",
    agentEvent: "session.created",
    helperOf: "ses_1",
    ignored: "a subagent's session",
  },
  "session.deleted": {
    name: "SessionEnd",
    agentEvent: "session.deleted",
    reason: "deleted",
  },
  "session.error-aborted": {
    name: "StopFailure",
    agentEvent: "session.error",
    ignored: "the user stopped the turn",
    means: "interrupted",
    message: "The operation was aborted.",
    reason: "interrupted",
  },
  "session.idle-in-helper": {
    name: "SubagentStop",
    agentEvent: "session.idle",
    helperOf: "ses_1",
  },
  "session.idle": {
    name: "Stop",
    agentEvent: "session.idle",
  },
};
