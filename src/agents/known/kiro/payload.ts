// How the payloads of Kiro CLI, once Amazon Q Developer CLI, are read: https://kiro.dev/docs/cli/hooks
import type { Agent } from "../../dialect/agent.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { sessionOfFolder } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

export const kiro: Agent = {
  id: "kiro",
  name: "Kiro",
  docs: "https://kiro.dev/docs/cli/hooks",
  // Neither its documentation nor its releases name a variable of its own.
  variables: { ofHooks: [], ofCommands: [] },
  // Kiro names no session: everything in one folder counts as one.
  withCommonNames: (payload) => ({
    ...payload,
    session_id: textOf(payload.session_id) ?? sessionOfFolder(payload.cwd),
    last_assistant_message: payload.last_assistant_message ?? payload.assistant_response,
  }),
  // Its session is known by the folder.
  identity: { hook_event_name: filledString, cwd: filledString },
  types: { ...commonTypes, prompt: "string" },
  eventNames: {
    agentSpawn: "SessionStart",
    userPromptSubmit: "UserPromptSubmit",
    stop: "Stop",
  },
  facts: genericFacts,
};
