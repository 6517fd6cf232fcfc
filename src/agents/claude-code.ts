import { claudeCodeWiring } from "./claude-code-wiring.ts";
import type { Agent } from "./define-agent.ts";
import { genericCommon, genericEvents, genericFacts, textOf } from "./generic.ts";
import { fields, optionalArray, optionalString } from "./payload-fields.ts";

/** Anthropic's Claude Code: https://code.claude.com/docs/en/hooks */
export const claudeCode: Agent = {
  id: "claude-code",
  name: "Claude Code",
  docs: "https://code.claude.com/docs/en/hooks",
  // CLAUDE_PROJECT_DIR is no sign of it: Droid and Gemini CLI set that too.
  isCalling: (_payload, env) => env.CLAUDECODE !== undefined || env.CLAUDE_CODE_SESSION_ID !== undefined,
  acceptsCamelCase: true,
  common: genericCommon,
  events: {
    ...genericEvents,
    PermissionRequest: () => fields({ tool_name: optionalString(), permission_suggestions: optionalArray() }),
  },
  facts(payload) {
    const facts = genericFacts(payload);
    if (payload.hook_event_name !== "PermissionRequest") return facts;
    const tool = textOf(payload.tool_name);
    return tool === undefined ? facts : { ...facts, message: `Claude Code wants to use ${tool}` };
  },
  wiring: claudeCodeWiring,
};
