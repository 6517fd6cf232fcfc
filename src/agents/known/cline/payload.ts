// How Cline's payloads are read: https://docs.cline.bot/customization/hooks
import type { Agent, PayloadFacts, Payload } from "../../dialect/agent.ts";
import { commonTypes, genericFacts } from "../../dialect/generic.ts";
import { mcpCall, toolFacts, type ToolReader, type ToolReaders, usualTools } from "../../dialect/tool-line.ts";
import { firstText } from "../../dialect/values.ts";
import { objectOf, textOf } from "../../../model/json.ts";

/** The keys are the names of the files that Cline runs, and the names in its newer CLI's payloads. */
const names: Readonly<Record<string, string>> = {
  TaskStart: "UserPromptSubmit",
  agent_start: "UserPromptSubmit",
  TaskResume: "UserPromptSubmit",
  agent_resume: "UserPromptSubmit",
  prompt_submit: "UserPromptSubmit",
  TaskComplete: "Stop",
  agent_end: "Stop",
  TaskError: "StopFailure",
  agent_error: "StopFailure",
  TaskCancel: "Stop",
  agent_abort: "Stop",
  SessionShutdown: "SessionEnd",
  session_shutdown: "Stop",
  tool_call: "PreToolUse",
  tool_result: "PostToolUse",
};

export const cline: Agent = {
  id: "cline",
  name: "Cline",
  docs: "https://docs.cline.bot/customization/hooks",
  isAuthor: (payload) =>
    textOf(payload.hookName) !== undefined && textOf(payload.taskId) !== undefined && "clineVersion" in payload,
  variables: { ofHooks: [], ofCommands: ["CLINE_ACTIVE"] },
  nativeName: (payload, given) => payload.hookName ?? payload.hook_event_name ?? given,
  withCommonNames(payload) {
    const { taskMetadata } = objectOf(payload.task_complete);
    return {
      ...payload,
      // A subagent and a conversation that was cleared have tasks of their own.
      session_id: objectOf(payload.session_context).rootSessionId ?? payload.task_id ?? payload.session_id,
      // The main agent has an id, too.
      agent_id: isOfChild(payload) ? payload.agent_id : undefined,
      cwd: firstText(payload.workspace_roots) ?? textOf(objectOf(payload.workspace_info).rootPath),
      last_assistant_message: textOf(objectOf(payload.turn).outputText) ?? objectOf(taskMetadata).result,
      ...toolFields(objectOf(payload.tool_result ?? payload.tool_call)),
    };
  },
  types: {
    ...commonTypes,
    workspace_roots: "array",
    turn: "object",
    task_complete: "object",
    notification: "object",
    parent_agent_id: "string",
  },
  eventName(native, payload) {
    const name = Object.hasOwn(names, native) ? names[native] : undefined;
    return name === "Stop" && isOfChild(payload) ? "SubagentStop" : name;
  },
  ignores(eventName, payload) {
    const native = String(payload.hook_event_name);
    const isInside = isOfChild(payload) && /^(?:UserPromptSubmit|StopFailure|SessionEnd)$/.test(eventName);
    if (isInside) return "a subagent's task";
    if (isCancel(native)) return "the user stopped the task";
    if (native !== "Notification") return undefined;
    const { waitingForUserInput, requiresUserAction } = objectOf(payload.notification);
    return waitingForUserInput === false && requiresUserAction !== true ? "Cline goes on by itself" : undefined;
  },
  facts(payload, eventName) {
    const facts = genericFacts({ ...payload, agent_id: undefined });
    const isStopped = isCancel(String(payload.hook_event_name)) && !isOfChild(payload);
    if (isStopped) return { ...facts, means: "interrupted" };
    if (eventName === "Notification") return { ...facts, ...notificationFacts(objectOf(payload.notification)) };
    if (eventName === "PreToolUse") return { ...facts, ...toolFacts(clineTools, payload) };
    if (eventName === "PostToolUse") return { ...facts, request: toolFacts(clineTools, payload).request };
    if (eventName === "SubagentStop") return { ...facts, subagent: textOf(payload.agent_id) };
    if (eventName !== "StopFailure") return facts;
    const error = objectOf(payload.error);
    const name = textOf(error.name);
    const reason = name === "Error" ? "unknown" : name;
    return { ...facts, message: textOf(error.message) ?? textOf(payload.error), reason };
  },
  withheld: ["userId"],
};

/** The CLI, 3.0.65, sends `session_shutdown` after Escape alone, not when it ends. */
function isCancel(native: string): boolean {
  return /^(?:TaskCancel|agent_abort|session_shutdown)$/.test(native);
}

function toolFields({ name, input, output }: Payload): Payload {
  return name === undefined ? {} : { tool_name: name, tool_input: input, tool_response: output };
}

/** The main agent's parent is null. */
function isOfChild(payload: Payload): boolean {
  return textOf(payload.parent_agent_id) !== undefined;
}

function notificationFacts(notification: Payload): Pick<PayloadFacts, "message" | "notificationType"> {
  const isWaiting = notification.requiresUserAction === true || notification.waitingForUserInput === true;
  return {
    message: textOf(notification.message),
    notificationType: isWaiting ? "agent_needs_input" : textOf(notification.event),
  };
}

const runsCommands: ToolReader = (call) => {
  const { commands, command } = call.input;
  return usualTools.runs({ ...call, input: { command: commands ?? command } });
};

const clineTools: ToolReaders = {
  run_commands: runsCommands,
  execute_command: runsCommands,
  write_to_file: "writes",
  replace_in_file: "edits",
  editor: "edits",
  apply_patch: "patches",
  read_file: "reads",
  read_files: "reads",
  fetch_web_content: "fetches",
  web_fetch: "fetches",
  use_mcp_tool: ({ input }) => {
    const [server, tool] = [textOf(input.server_name), textOf(input.tool_name)];
    const given = textOf(input.arguments);
    return server === undefined || tool === undefined
      ? undefined
      : mcpCall(server, tool, given === undefined ? objectOf(input.arguments) : { arguments: given });
  },
};
