// How Droid's payloads are read: https://docs.factory.ai/reference/hooks-reference
import type { Agent, Payload } from "../../dialect/agent.ts";
import { claudeFacts } from "../../dialect/claude-facts.ts";
import { optionalBoolean, optionalString } from "../../dialect/fields.ts";
import { genericCommon, genericEvents } from "../../dialect/generic.ts";
import { hasQuestions, type ToolReader, type ToolReaders, withChoices } from "../../dialect/tool-line.ts";
import { millisecondsOf } from "../../dialect/values.ts";
import { textOf } from "../../../model/json.ts";

export const droid: Agent = {
  id: "droid",
  name: "Droid",
  docs: "https://docs.factory.ai/reference/hooks-reference",
  // Droid can import Claude Code's hooks. Every payload has one of Droid's own permission modes.
  isAuthor: ({ permission_mode: snake, permissionMode: camel }) =>
    /^(?:off|spec|auto-(?:low|medium|high))$/.test(textOf(snake) ?? textOf(camel) ?? ""),
  variables: {
    ofHooks: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
    ofCommands: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
  },
  acceptsCamelCase: true,
  common: genericCommon,
  events: {
    ...genericEvents,
    Stop: { stop_hook_active: optionalBoolean, last_assistant_message: optionalString },
    SubagentStop: { stop_hook_active: optionalBoolean },
  },
  // The platform's document says what each of its events carries.
  isStrict: true,
  types: {
    tool_name: "string",
    elapsed_time: "number",
    tool_execution_count: "number",
    task_name: "string",
    task_result: "string",
    task_error: "string",
    calling_session_id: "string",
  },
  ignores(eventName, payload) {
    if (isEscape(eventName, payload)) return "the user stopped the turn";
    return eventName === "UserPromptSubmit" && isTask(payload) ? "a subagent's prompt" : undefined;
  },
  facts(payload, eventName) {
    const facts = claudeFacts(droidTools, payload, eventName);
    const durationMs = eventName === "Stop" ? millisecondsOf(payload.elapsed_time) : undefined;
    return {
      ...facts,
      message: facts.message ?? textOf(payload.task_error) ?? textOf(payload.task_result),
      subagent: facts.subagent ?? textOf(payload.task_name),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(isEscape(eventName, payload) ? { means: "interrupted" } : {}),
      // A subagent is a session of its own.
      helperOf: textOf(payload.calling_session_id) ?? (isTask(payload) ? "unknown" : undefined),
    };
  },
};

/** Droid sends this event instead of Stop when the user presses Escape. */
function isEscape(eventName: string, { message }: Payload): boolean {
  return eventName === "Notification" && textOf(message)?.startsWith("Agent stopped by user") === true;
}

/** The prompt that Droid writes for a subagent. */
function isTask({ prompt }: Payload): boolean {
  return textOf(prompt)?.startsWith("# Task Tool Invocation") === true;
}

/** A questionnaire is a text: `1. [question] Which one?`, `[topic] Pick`, `[option] A`. */
const asksQuestionnaire: ToolReader = ({ input }) => {
  const questions: { text: string; choices: string[] }[] = [];
  for (const [, kind, text = ""] of (textOf(input.questionnaire) ?? "").matchAll(/\[(question|option)\]\s*(.+)/g)) {
    if (kind === "question") questions.push({ text: text.trim(), choices: [] });
    else questions.at(-1)?.choices.push(text.trim());
  }
  return hasQuestions(questions.map(({ text, choices }) => withChoices(text, choices)));
};

const droidTools: ToolReaders = {
  Execute: "runs",
  Script: "runs",
  Edit: "edits",
  MultiEdit: "edits",
  ApplyPatch: "patches",
  Create: "writes",
  Read: "reads",
  FetchUrl: "fetches",
  WebSearch: "searches",
  Task: "startsSubagent",
  AskUser: asksQuestionnaire,
  ExitSpecMode: "startsPlan",
  ProposeMission: "startsPlan",
};
