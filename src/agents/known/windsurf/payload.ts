// How Windsurf's payloads are read: https://docs.windsurf.com/windsurf/cascade/hooks
import type { Agent } from "../../dialect/agent.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { objectOf, textOf } from "../../../model/json.ts";

export const windsurf: Agent = {
  id: "windsurf",
  name: "Windsurf",
  docs: "https://docs.windsurf.com/windsurf/cascade/hooks",
  isAuthor: (payload) => textOf(payload.agent_action_name) !== undefined && textOf(payload.trajectory_id) !== undefined,
  variables: { ofHooks: [], ofCommands: ["WINDSURF_CASCADE_TERMINAL"] },
  nativeName: (payload, given) => payload.agent_action_name ?? payload.hook_event_name ?? given,
  // Only events about commands name a folder.
  withCommonNames(payload) {
    const info = objectOf(payload.tool_info);
    return {
      ...payload,
      session_id: payload.trajectory_id ?? payload.session_id,
      cwd: textOf(payload.cwd) ?? textOf(info.cwd),
      last_assistant_message: info.response,
    };
  },
  types: { ...commonTypes, tool_info: "object", execution_id: "string" },
  eventNames: {
    post_cascade_response: "Stop",
    post_cascade_response_with_transcript: "Stop",
    pre_user_prompt: "UserPromptSubmit",
  },
  facts: (payload) => ({ ...genericFacts(payload), turn: textOf(payload.execution_id) }),
};
