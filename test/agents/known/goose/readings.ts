// What is read out of each payload of goose.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {};

export const documented: Record<string, ExpectedReading> = {
  SessionEnd: {
    name: "SessionEnd",
  },
  Stop: {
    name: "Stop",
    message: "All tests pass.",
  },
  UserPromptSubmit: {
    name: "UserPromptSubmit",
  },
};
