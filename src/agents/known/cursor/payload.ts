// How Cursor's payloads are read: https://cursor.com/docs/hooks
import type { Agent, Payload } from "../../dialect/agent.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { firstText, millisecondsOf } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

export const cursor: Agent = {
  id: "cursor",
  name: "Cursor",
  docs: "https://cursor.com/docs/hooks",
  // Cursor also runs Claude Code's hooks.
  isAuthor: (payload) => textOf(payload.cursor_version) !== undefined,
  variables: { ofHooks: ["CURSOR_VERSION", "CURSOR_PROJECT_DIR"], ofCommands: ["CURSOR_AGENT"] },
  withCommonNames: (payload) => ({
    ...payload,
    session_id: payload.conversation_id ?? payload.session_id,
    cwd: textOf(payload.cwd) ?? firstText(payload.workspace_roots),
  }),
  types: {
    ...commonTypes,
    status: "string",
    text: "string",
    summary: "string",
    subagent_type: "string",
    error_message: "string",
    duration_ms: "number",
    workspace_roots: "array",
    generation_id: "string",
  },
  eventNames: {
    stop: "Stop",
    subagentStop: "SubagentStop",
    sessionStart: "SessionStart",
    sessionEnd: "SessionEnd",
    beforeSubmitPrompt: "UserPromptSubmit",
  },
  eventName: (native, { status }) => (/^[sS]top$/.test(native) && status === "error" ? "StopFailure" : undefined),
  ignores: (eventName, payload) => (isAborted(eventName, payload) ? "the user stopped the turn" : undefined),
  facts(payload, eventName) {
    const facts = genericFacts(payload);
    // Other events have the duration of the session here.
    const durationMs = eventName === "SubagentStop" ? millisecondsOf(payload.duration_ms) : undefined;
    return {
      ...facts,
      message: facts.message ?? textOf(payload.error_message) ?? textOf(payload.summary) ?? textOf(payload.text),
      reason: facts.reason ?? (payload.status === "completed" ? undefined : textOf(payload.status)),
      subagent: facts.subagent ?? textOf(payload.subagent_type),
      turn: textOf(payload.generation_id),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(isAborted(eventName, payload) ? { means: "interrupted" } : {}),
    };
  },
  withheld: ["user_email"],
};

function isAborted(eventName: string, { status }: Payload): boolean {
  return eventName === "Stop" && status === "aborted";
}
