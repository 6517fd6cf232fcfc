// How Kimi Code's payloads are read: https://moonshotai.github.io/kimi-code/en/customization/hooks
import { asksPerson } from "../../dialect/asked.ts";
import type { Agent, Payload } from "../../dialect/agent.ts";
import { claudeFacts } from "../../dialect/claude-facts.ts";
import { errorReason } from "../../dialect/error-reason.ts";
import { commonTypes } from "../../dialect/generic.ts";
import type { ToolReaders } from "../../dialect/tool-line.ts";
import { objectOf, textOf } from "../../../model/json.ts";

export const kimiCode: Agent = {
  id: "kimi-code",
  name: "Kimi Code",
  docs: "https://moonshotai.github.io/kimi-code/en/customization/hooks",
  // Releases before 2.0 do not name the client.
  isAuthor: (payload) => textOf(payload.client_type)?.startsWith("kimi_code") === true,
  variables: { ofHooks: [], ofCommands: [] },
  withCommonNames(payload) {
    const { agent_id: agent, prompt, notification_type: type, id, ...rest } = payload;
    return {
      ...rest,
      ...(id === undefined ? {} : { question_id: id }),
      ...(agent === "main" ? {} : { agent_id: agent }),
      ...(prompt === undefined ? {} : { prompt: textOfPrompt(prompt) }),
      ...(typeof type === "string" ? { notification_type: type.replaceAll(".", "_") } : {}),
    };
  },
  types: {
    ...commonTypes,
    cwd: "string",
    tool_name: "string",
    tool_input: "object",
    error_type: "string",
    error_message: "string",
    agent_name: "string",
    response: "string",
    decision: "string",
  },
  // A question with choices starts no other event.
  eventName: (native, payload) =>
    native === "PreToolUse" && asksPerson(payload, questionTool) ? "PermissionRequest" : undefined,
  ignores: (eventName) => (eventName === "Interrupt" ? "the user interrupted the turn" : undefined),
  facts(payload, eventName) {
    const facts = claudeFacts(kimiTools, payload, eventName);
    switch (eventName) {
      case "StopFailure": {
        const message = textOf(payload.error_message);
        const status = Number(/^\d{3}(?= )/.exec(message ?? "")?.[0]);
        return { ...facts, message, reason: errorReason(reasonOf(payload), status) };
      }
      case "SubagentStop":
        // A Stop of the subagent, which nothing tells from the session's own, comes just before.
        return { ...facts, message: textOf(payload.response), subagent: textOf(payload.agent_name), means: "resumed" };
      case "SubagentStart":
        return { ...facts, subagent: textOf(payload.agent_name) };
      case "Notification":
        return { ...facts, message: textOf(payload.body) ?? facts.message };
      case "PermissionResult":
        return { ...facts, reason: textOf(payload.decision), isAnswer: true };
      case "Interrupt":
        return { ...facts, means: "interrupted" };
      default:
        return facts;
    }
  },
};

const questionTool = "AskUserQuestion";

/** A list of parts, of which pictures have no text. */
function textOfPrompt(prompt: unknown): unknown {
  return Array.isArray(prompt) ? prompt.flatMap((part) => textOf(objectOf(part).text) ?? []).join("\n") : prompt;
}

/** `APIStatusError` as `api_status_error`. */
function reasonOf({ error_type: type }: Payload): string | undefined {
  return textOf(type)
    ?.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .toLowerCase();
}

const kimiTools: ToolReaders = {
  Bash: "runs",
  Edit: "edits",
  Write: "writes",
  Read: "reads",
  FetchURL: "fetches",
  WebSearch: "searches",
  Agent: "startsSubagent",
  [questionTool]: "asksQuestions",
  ExitPlanMode: "startsPlan",
};
