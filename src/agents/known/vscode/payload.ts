// How the payloads of VS Code's agents are read: https://code.visualstudio.com/docs/agent-customization/hooks
import { claudeFacts } from "../../dialect/claude-facts.ts";
import type { Agent } from "../../dialect/agent.ts";
import { genericCommon, genericEvents } from "../../dialect/generic.ts";
import { isIsoTime } from "../../dialect/values.ts";
import { claudeTools } from "../claude-code/payload.ts";
import { textOf } from "../../../model/json.ts";

export const vscode: Agent = {
  id: "vscode",
  name: "VS Code",
  docs: "https://code.visualstudio.com/docs/agent-customization/hooks",
  // Most keys are in camelCase; the transcript's key is not.
  isAuthor: (payload) =>
    textOf(payload.hookEventName) !== undefined &&
    textOf(payload.sessionId) !== undefined &&
    isIsoTime(payload.timestamp) &&
    payload.transcriptPath === undefined,
  variables: { ofHooks: [], ofCommands: ["COPILOT_AGENT"] },
  acceptsCamelCase: true,
  common: genericCommon,
  events: genericEvents,
  types: { tool_name: "string" },
  // VS Code sends no question, no failed turn, and no end of a session.
  runsHooksOf: { agentId: "claude-code", mapsTo: ["Stop", "SubagentStop", "UserPromptSubmit"] },
  facts: (payload, eventName) => claudeFacts(claudeTools, payload, eventName),
};
