// What is read out of each payload of Antigravity CLI.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {};

export const documented: Record<string, ExpectedReading> = {
  Stop: { name: "Stop" },
  "Stop-without-folder": { name: "Stop", cwd: "" },
  "Stop-error": {
    name: "StopFailure",
    agentEvent: "Stop",
    message: "the model is overloaded",
    reason: "error",
  },
};
