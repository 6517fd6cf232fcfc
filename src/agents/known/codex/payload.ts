// How the payloads of Codex's hooks are read: https://developers.openai.com/codex/hooks
import { askedPermission, asksPerson } from "../../dialect/asked.ts";
import { claudeFacts } from "../../dialect/claude-facts.ts";
import type { Agent } from "../../dialect/agent.ts";
import { commonTypes } from "../../dialect/generic.ts";
import { type ToolReaders, usualTools } from "../../dialect/tool-line.ts";
import { isOfSubagent } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

export const codex: Agent = {
  id: "codex",
  name: "Codex",
  docs: "https://developers.openai.com/codex/hooks",
  isAuthor: (payload) =>
    textOf(payload.hook_event_name) !== undefined &&
    ((textOf(payload.turn_id) !== undefined &&
      textOf(payload.model) !== undefined &&
      payload.prompt_id === undefined) ||
      /[\\/]rollout-[^\\/]+\.jsonl$/.test(textOf(payload.transcript_path) ?? "")),
  variables: {
    ofHooks: ["CODEX_THREAD_ID", "CODEX_SANDBOX"],
    ofCommands: ["CODEX_THREAD_ID", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
  },
  types: {
    ...commonTypes,
    cwd: "string",
    turn_id: "string",
    tool_name: "string",
    tool_input: "object",
  },
  // Codex's own questions are calls of a tool, and start no other event.
  eventName(native, payload) {
    // Its task is its prompt: so it begins, whether a hook for SubagentStart is installed or not.
    if (native === "UserPromptSubmit" && isOfSubagent(payload)) return "SubagentStart";
    return native === "PreToolUse" && asksPerson(payload, questionTool) ? "PermissionRequest" : undefined;
  },
  ignores(eventName, payload) {
    if (eventName === "Interrupt") return "the user interrupted the turn";
    return payload.hook_event_name === "UserPromptSubmit" && isOfSubagent(payload) ? "a subagent's prompt" : undefined;
  },
  facts(payload, eventName) {
    const facts = claudeFacts(codexTools, payload, eventName);
    return eventName === "Interrupt" ? { ...facts, means: "interrupted" } : facts;
  },
  // Codex's terminal shows only that the hook runs.
  asks: (eventName, payload) =>
    eventName === "PermissionRequest" && !asksPerson(payload, questionTool)
      ? askedPermission(payload, { showsDialog: false, takesSuggestion: false })
      : undefined,
};

const questionTool = "request_user_input";

const codexTools: ToolReaders = {
  [questionTool]: "asksQuestions",
  Bash: "runs",
  shell: "runs",
  exec_command: (call) => usualTools.runs({ ...call, input: { command: call.input.cmd ?? call.input.command } }),
  apply_patch: "patches",
  web_fetch: "fetches",
  web_search: "searches",
  spawn_agent: "startsSubagent",
};
