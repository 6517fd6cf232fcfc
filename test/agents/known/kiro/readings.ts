// What is read out of each payload of Kiro.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {};

export const documented: Record<string, ExpectedReading> = {
  agentSpawn: {
    name: "SessionStart",
    agentEvent: "agentSpawn",
  },
  stop: {
    name: "Stop",
    agentEvent: "stop",
  },
  userPromptSubmit: {
    name: "UserPromptSubmit",
    agentEvent: "userPromptSubmit",
  },
};
