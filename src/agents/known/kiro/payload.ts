import type { Agent } from "../../dialect/agent.ts";
import { genericFacts, usualTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { sessionOfFolder, textOf } from "../../dialect/values.ts";

const names: Readonly<Record<string, string>> = {
  agentSpawn: "SessionStart",
  userPromptSubmit: "UserPromptSubmit",
  stop: "Stop",
};

/** Kiro CLI, once Amazon Q Developer CLI: https://kiro.dev/docs/cli/hooks */
export const kiro: Agent = {
  id: "kiro",
  name: "Kiro",
  docs: "https://kiro.dev/docs/cli/hooks",
  // Its payloads have too little in them to be known by.
  isAuthor: () => false,
  isCalling: () => false,
  acceptsCamelCase: false,
  // It names no session: all that happens in one folder is taken for one.
  usual: (payload) => ({
    ...payload,
    session_id: textOf(payload.session_id) ?? sessionOfFolder(payload.cwd),
    last_assistant_message: payload.last_assistant_message ?? payload.assistant_response,
  }),
  common: { hook_event_name: filledString, cwd: filledString },
  events: {},
  types: { ...usualTypes, prompt: "string" },
  eventName: (native) => (Object.hasOwn(names, native) ? names[native] : undefined),
  facts: genericFacts,
};
