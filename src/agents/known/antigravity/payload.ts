// How the payloads of Antigravity CLI (`agy`) are read: https://antigravity.google/docs/hooks
import type { Agent, Payload } from "../../dialect/agent.ts";
import { commonTypes, genericFacts } from "../../dialect/generic.ts";
import { firstText } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

export const antigravity: Agent = {
  id: "antigravity",
  name: "Antigravity CLI",
  docs: "https://antigravity.google/docs/hooks",
  isAuthor: (payload) =>
    textOf(payload.conversationId) !== undefined && textOf(payload.artifactDirectoryPath) !== undefined,
  variables: { ofHooks: ["ANTIGRAVITY_CONVERSATION_ID"], ofCommands: [] },
  // No payload names its event, and of the installed ones only Stop has this field.
  nativeName: (payload, given) => given ?? (payload.terminationReason === undefined ? undefined : "Stop"),
  // Without a terminal and `--add-dir` no folder is named, and the hook runs in the folder of its settings.
  withCommonNames: (payload) => ({
    ...payload,
    session_id: payload.conversation_id ?? payload.session_id,
    cwd: firstText(payload.workspace_paths),
  }),
  types: { ...commonTypes, workspace_paths: "array", termination_reason: "string", error: "string" },
  eventName: (native, payload) => (native === "Stop" && isFailed(payload) ? "StopFailure" : undefined),
  facts(payload, eventName) {
    const facts = genericFacts(payload);
    if (eventName !== "StopFailure") return facts;
    return { ...facts, message: textOf(payload.error), reason: textOf(payload.termination_reason)?.toLowerCase() };
  },
};

/** `error` is empty after a turn that succeeded. */
function isFailed({ error, termination_reason: reason }: Payload): boolean {
  return textOf(error) !== undefined || reason === "ERROR";
}
