// What is read out of each payload of VS Code.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {};

export const documented: Record<string, ExpectedReading> = {
  Stop: {
    name: "Stop",
  },
  SubagentStop: {
    name: "SubagentStop",
    subagent: "Plan",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};
