import { claudeFacts } from "../../dialect/claude-facts.ts";
import type { Agent } from "../../dialect/agent.ts";
import { usualTypes } from "../../dialect/generic.ts";
import { filledString } from "../../dialect/fields.ts";
import { isIsoTime, isOfHelper, textOf } from "../../dialect/values.ts";

/** Qwen Code: https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks */
export const qwenCode: Agent = {
  id: "qwen-code",
  name: "Qwen Code",
  docs: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks",
  // A time and a permission mode together are its alone, today; they would not be, should Claude Code take to telling the time.
  isAuthor: (payload) =>
    textOf(payload.hook_event_name) !== undefined &&
    isIsoTime(payload.timestamp) &&
    textOf(payload.permission_mode) !== undefined &&
    (/[\\/]\.qwen[\\/]/.test(textOf(payload.transcript_path) ?? "") ||
      /#{8}\d+$/.test(textOf(payload.prompt_id) ?? "")),
  isCalling: (env) => env.QWEN_PROJECT_DIR !== undefined,
  acceptsCamelCase: false,
  common: { hook_event_name: filledString, session_id: filledString },
  events: {},
  types: { ...usualTypes, cwd: "string", error: "string", tool_name: "string", prompt_id: "string" },
  ignores: (eventName, payload) =>
    eventName === "UserPromptSubmit" && isOfHelper(payload) ? "a helper's prompt" : undefined,
  facts: (payload, eventName) => claudeFacts("Qwen Code", payload, eventName),
};
