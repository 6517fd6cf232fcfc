// What the hook prints for the agent: https://code.claude.com/docs/en/hooks, or for hookbell's plug-in of opencode.
import type { Payload } from "../agents/dialect/agent.ts";
import type { Answer } from "../model/answer.ts";
import type { Question } from "./questions.ts";
import { readReply } from "./read-reply.ts";
import { objectOf } from "../model/json.ts";

/** Undefined for no decision. `payload` is what the agent asked with. */
export function decisionFor(
  question: Pick<Question, "agent" | "kind" | "fields" | "forSession">,
  answer: Answer,
  payload: Payload,
): object | undefined {
  if (answer.choice === "none") return undefined;
  if (takesReplies.has(question.agent)) return openCodeReply(question, answer);
  if (question.kind === "permission") return permissionDecision(question, answer);
  if (answer.choice === "deny" && question.kind === "form") return elicited({ action: "decline" });
  const reading = readReply(question.fields, answer.message ?? "");
  if (answer.choice !== "reply" || "problem" in reading) return undefined;
  const { values } = reading;
  if (question.kind === "form") return elicited({ action: "accept", content: values });
  // The agent goes on with it, as with a prompt.
  if (question.kind === "prompt") return { decision: "block", reason: answer.message };
  // An "allow" without answers would be an empty answer.
  const answers = Object.entries(values).map(([name, value]) => [name, [value].flat().join(", ")]);
  const updatedInput = { ...objectOf(payload.tool_input), answers: Object.fromEntries(answers) as object };
  return permissionOutput({ behavior: "allow", updatedInput });
}

/** Kilo is a fork of opencode. */
const takesReplies: ReadonlySet<string> = new Set(["opencode", "kilo"]);

/** The bodies of `/permission/ID/reply` and `/question/ID/reply`: https://opencode.ai/docs/server */
function openCodeReply(
  { kind, fields }: Pick<Question, "kind" | "fields">,
  { choice, message }: Answer,
): object | undefined {
  if (kind === "permission") {
    if (choice === "allow") return { reply: "once" };
    return choice === "deny" ? { reply: "reject", message: message ?? denied } : undefined;
  }
  const reading = readReply(fields, message ?? "");
  if (choice !== "reply" || "problem" in reading) return undefined;
  return { answers: fields.map(({ name }) => [reading.values[name] ?? []].flat()) };
}

const denied = "The user denied this.";

/** Claude Code, Codex and Qwen Code read the same form. */
function permissionDecision(
  { forSession }: Pick<Question, "forSession">,
  { choice, message }: Answer,
): object | undefined {
  if (choice === "deny") return permissionOutput({ behavior: "deny", message: message ?? denied });
  if (choice === "allow") return permissionOutput({ behavior: "allow" });
  if (choice !== "allowForSession" || forSession === undefined) return undefined;
  return permissionOutput({ behavior: "allow", updatedPermissions: [forSession] });
}

function permissionOutput(decision: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function elicited(action: object): object {
  return { hookSpecificOutput: { hookEventName: "Elicitation", ...action } };
}
