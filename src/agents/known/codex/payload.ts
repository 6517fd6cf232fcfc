// How the payloads of Codex's hooks and of its older `notify` program are read: https://developers.openai.com/codex/hooks
import { askedPermission } from "../../dialect/asked.ts";
import { claudeFacts } from "../../dialect/claude-facts.ts";
import type { Agent, Payload } from "../../dialect/agent.ts";
import { commonTypes } from "../../dialect/generic.ts";
import { type ToolReaders, usualTools } from "../../dialect/tool-line.ts";
import { firstText, isOfHelper } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

const turnComplete = "agent-turn-complete";

export const codex: Agent = {
  id: "codex",
  name: "Codex",
  docs: "https://developers.openai.com/codex/hooks",
  isAuthor: (payload) =>
    (payload.type === turnComplete && "turn-id" in payload) ||
    (textOf(payload.hook_event_name) !== undefined &&
      ((textOf(payload.turn_id) !== undefined &&
        textOf(payload.model) !== undefined &&
        payload.prompt_id === undefined) ||
        /[\\/]rollout-[^\\/]+\.jsonl$/.test(textOf(payload.transcript_path) ?? ""))),
  variables: {
    ofHooks: ["CODEX_THREAD_ID", "CODEX_SANDBOX"],
    ofCommands: ["CODEX_THREAD_ID", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
  },
  nativeName: (payload, given) => payload.hook_event_name ?? payload.type ?? given,
  // `notify` of the first releases names neither the session nor the folder.
  withCommonNames: (payload) => ({
    ...payload,
    session_id: payload.session_id ?? payload.thread_id ?? (isNotify(payload) ? "unknown" : undefined),
  }),
  types: {
    ...commonTypes,
    cwd: "string",
    turn_id: "string",
    tool_name: "string",
    tool_input: "object",
    client: "string",
    input_messages: "array",
  },
  eventNames: { [turnComplete]: "Stop" },
  ignores(eventName, payload) {
    if (isNotify(payload)) return ignoresNotify(payload);
    if (eventName === "Interrupt") return "the user interrupted the turn";
    return eventName === "UserPromptSubmit" && isOfHelper(payload) ? "a helper's prompt" : undefined;
  },
  facts(payload, eventName) {
    const facts = claudeFacts(codexTools, payload, eventName);
    return eventName === "Interrupt" ? { ...facts, means: "interrupted" } : facts;
  },
  // Its terminal shows only that the hook runs.
  asks: (eventName, payload) =>
    eventName === "PermissionRequest"
      ? askedPermission(payload, { showsDialog: false, takesSuggestion: false })
      : undefined,
};

function isNotify(payload: Payload): boolean {
  return payload.hook_event_name === turnComplete;
}

/** `notify` is also called for hidden turns. A helper's turn names no `client`, but neither do older releases. */
function ignoresNotify(payload: Payload): string | undefined {
  const isTitle = /^Generate a concise, single-line task title\b/.test(firstText(payload.input_messages) ?? "");
  return isTitle ? "a hidden turn that makes a title" : undefined;
}

const codexTools: ToolReaders = {
  Bash: "runs",
  shell: "runs",
  exec_command: (call) => usualTools.runs({ ...call, input: { command: call.input.cmd ?? call.input.command } }),
  apply_patch: "patches",
  web_fetch: "fetches",
  web_search: "searches",
  spawn_agent: "startsHelper",
};
