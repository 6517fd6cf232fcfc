// How the payloads of Auggie, Augment's command line, are read: https://docs.augmentcode.com/cli/hooks
import type { Agent, Payload } from "../../dialect/agent.ts";
import { commonTypes, genericFacts } from "../../dialect/generic.ts";
import { toolFacts, type ToolReaders } from "../../dialect/tool-line.ts";
import { firstText } from "../../dialect/values.ts";
import { objectOf, textOf } from "../../../model/json.ts";

export const auggie: Agent = {
  id: "auggie",
  name: "Auggie",
  docs: "https://docs.augmentcode.com/cli/hooks",
  variables: { ofHooks: ["AUGMENT_HOOK_EVENT"], ofCommands: ["AUGMENT_AGENT"] },
  withCommonNames: (payload) => ({
    ...payload,
    session_id: payload.session_id ?? payload.conversation_id,
    cwd: textOf(payload.cwd) ?? firstText(payload.workspace_roots),
    prompt: payload.prompt ?? payload.user_prompt,
    last_assistant_message: payload.last_assistant_message ?? exchangeOf(payload).response_text,
  }),
  types: {
    ...commonTypes,
    conversation_id: "string",
    workspace_roots: "array",
    agent_stop_cause: "string",
    _exchange: "object",
    user_prompt: "string",
    tool_name: "string",
    tool_input: "object",
  },
  eventNames: { PromptSubmit: "UserPromptSubmit" },
  eventName: (native, { agent_stop_cause: cause }) =>
    native === "Stop" && failures.has(textOf(cause) ?? "") ? "StopFailure" : undefined,
  ignores: (eventName, payload) => (isEscape(eventName, payload) ? "the user stopped the turn" : undefined),
  facts(payload, eventName) {
    const facts = genericFacts(payload);
    if (isEscape(eventName, payload)) return { ...facts, means: "interrupted" };
    // Its words about the end stand where the answer would.
    if (eventName === "StopFailure") return { ...facts, reason: textOf(payload.agent_stop_cause) };
    // It does not say why.
    if (eventName === "SessionEnd") return { ...facts, reason: facts.reason ?? "other" };
    if (eventName === "PreToolUse") return { ...facts, ...toolFacts(tools, payload) };
    if (eventName === "PostToolUse") return { ...facts, request: toolFacts(tools, payload).request };
    return facts;
  },
  // Results of tools, and whole files.
  withheld: ["_exchange.changedFiles", "_exchange.exchange.request_nodes", "_exchange.exchange.response_nodes"],
};

/** 0.36.0 runs no hook after an error of the model: its program has the cause `error`, and never sends it. */
const failures: ReadonlySet<string> = new Set(["error", "max_iterations", "empty_completion"]);

function exchangeOf(payload: Payload): Payload {
  return objectOf(objectOf(payload._exchange).exchange);
}

function isEscape(eventName: string, payload: Payload): boolean {
  return eventName === "Stop" && payload.agent_stop_cause === "interrupted";
}

const tools: ToolReaders = {
  "launch-process": "runs",
  "str-replace-editor": "edits",
  "save-file": "writes",
  view: "reads",
  "web-fetch": "fetches",
  "web-search": "searches",
};
