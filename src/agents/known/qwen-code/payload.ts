// How Qwen Code's payloads are read: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
import { askedPermission } from "../../dialect/asked.ts";
import { claudeFacts } from "../../dialect/claude-facts.ts";
import type { Agent } from "../../dialect/agent.ts";
import { commonTypes } from "../../dialect/generic.ts";
import type { ToolReaders } from "../../dialect/tool-line.ts";
import { isIsoTime, isOfSubagent } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

export const qwenCode: Agent = {
  id: "qwen-code",
  name: "Qwen Code",
  docs: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks",
  // Only Qwen Code has both a time and a permission mode today; the rest is for the day when Claude Code sends a time.
  isAuthor: (payload) =>
    textOf(payload.hook_event_name) !== undefined &&
    isIsoTime(payload.timestamp) &&
    textOf(payload.permission_mode) !== undefined &&
    (/[\\/]\.qwen[\\/]/.test(textOf(payload.transcript_path) ?? "") ||
      /#{8}\d+$/.test(textOf(payload.prompt_id) ?? "")),
  variables: { ofHooks: ["QWEN_PROJECT_DIR"], ofCommands: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"] },
  types: { ...commonTypes, cwd: "string", error: "string", tool_name: "string", prompt_id: "string" },
  ignores: (eventName, payload) =>
    eventName === "UserPromptSubmit" && isOfSubagent(payload) ? "a subagent's prompt" : undefined,
  facts: (payload, eventName) => claudeFacts(qwenTools, payload, eventName),
  // 0.24.4 asks in its terminal once the hook has ended, and suggests nothing for the session.
  asks: (eventName, payload) =>
    eventName === "PermissionRequest"
      ? askedPermission(payload, { showsDialog: false, takesSuggestion: false })
      : undefined,
};

const qwenTools: ToolReaders = {
  run_shell_command: "runs",
  edit: "edits",
  replace: "edits",
  write_file: "writes",
  read_file: "reads",
  web_fetch: "fetches",
  web_search: "searches",
  agent: "startsSubagent",
  task: "startsSubagent",
  ask_user_question: "asksQuestions",
  exit_plan_mode: "startsPlan",
};
