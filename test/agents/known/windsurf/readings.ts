// What is read out of each payload of Windsurf.
import type { ExpectedReading } from "../../../support/agents/readings.ts";

export const captured: Record<string, ExpectedReading> = {};

export const documented: Record<string, ExpectedReading> = {
  post_cascade_response_with_transcript: {
    name: "Stop",
    agentEvent: "post_cascade_response_with_transcript",
    cwd: "",
  },
  post_cascade_response: {
    name: "Stop",
    agentEvent: "post_cascade_response",
    cwd: "",
    message: "## Done\nAll tests pass.",
  },
  pre_run_command: {
    name: "pre_run_command",
  },
  pre_user_prompt: {
    name: "UserPromptSubmit",
    agentEvent: "pre_user_prompt",
    cwd: "",
  },
};
