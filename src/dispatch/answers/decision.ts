// What the hook prints for the agent: https://code.claude.com/docs/en/hooks#permissionrequest
import type { Answer } from "../../channels/channel-type.ts";
import type { Question } from "./questions.ts";

/** Claude Code, Codex and Qwen Code read the same form. */
export function decisionFor(
  { forSession }: Pick<Question, "forSession">,
  { choice, message }: Answer,
): object | undefined {
  if (choice === "none") return undefined;
  if (choice === "allowForSession" && forSession === undefined) return undefined;
  const decision =
    choice === "deny"
      ? { behavior: "deny", message: message ?? "The user denied this." }
      : { behavior: "allow", ...(choice === "allowForSession" ? { updatedPermissions: [forSession] } : {}) };
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}
