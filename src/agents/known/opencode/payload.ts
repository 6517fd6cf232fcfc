// How the events that hookbell's plug-in passes on from opencode are read: https://opencode.ai/docs/plugins
import type { Agent, PayloadFacts, Payload } from "../../dialect/agent.ts";
import { askedPermission, askedQuestions } from "../../dialect/asked.ts";
import { genericFacts, commonTypes } from "../../dialect/generic.ts";
import { firstText, sessionOfFolder } from "../../dialect/values.ts";
import { requestFacts, toolRequest, type ToolReaders, type ToolRequest, usualTools } from "../../dialect/tool-line.ts";
import { errorReason } from "../../dialect/error-reason.ts";
import { objectOf, textOf } from "../../../model/json.ts";

/** `{"agent":"opencode","type":…,"properties":…,"directory":…}`; the plug-in adds `parentID`, `message` and `isStopped`. */
export const opencode: Agent = {
  id: "opencode",
  name: "opencode",
  docs: "https://opencode.ai/docs/plugins",
  isAuthor: (payload) =>
    (payload.agent === "opencode" && textOf(payload.type) !== undefined) ||
    (textOf(objectOf(payload.event).type) !== undefined && textOf(payload.directory) !== undefined),
  variables: { ofHooks: [], ofCommands: ["OPENCODE", "OPENCODE_SESSION_ID"], ofProcess: "HOOKBELL_AGENT_PID" },
  nativeName: (payload, given) => payload.type ?? objectOf(payload.event).type ?? given,
  withCommonNames(payload) {
    const properties = propertiesOf(payload);
    const info = objectOf(properties.info);
    const cwd = textOf(payload.directory) ?? textOf(payload.worktree) ?? textOf(info.directory) ?? textOf(payload.cwd);
    const session =
      textOf(properties.sessionID) ?? textOf(info.id) ?? textOf(payload.session_id) ?? sessionOfFolder(cwd);
    const parent = textOf(payload.parent_id) ?? textOf(info.parentID);
    const question = properties.requestID ?? properties.permissionID ?? properties.id;
    return { ...payload, cwd, session_id: session, parent_agent_id: parent, question_id: question };
  },
  types: { ...commonTypes, properties: "object", directory: "string" },
  eventNames: {
    "session.created": "SessionStart",
    "session.error": "StopFailure",
    "session.deleted": "SessionEnd",
  },
  eventName(native, payload) {
    if (/^permission\.(?:v2\.)?(?:asked|updated)$|^question\.(?:v2\.)?asked$/.test(native)) return "Notification";
    if (native === "session.idle") return isOfChild(payload) ? "SubagentStop" : "Stop";
    return native === "session.status" ? ofStatus[String(statusOf(payload))] : undefined;
  },
  ignores(eventName, payload) {
    if (isEscape(eventName, payload)) return "the user stopped the turn";
    if (eventName === "session.status" && statusOf(payload) === "idle") return "session.idle says the same";
    const isInside = isOfChild(payload) && /^(?:Session(?:Start|End)|UserPromptSubmit|StopFailure)$/.test(eventName);
    return isInside ? "a subagent's session" : undefined;
  },
  facts(payload, eventName) {
    const parent = textOf(payload.parent_agent_id);
    const facts = { ...genericFacts(payload), ...(parent === undefined ? {} : { helperOf: parent }) };
    const native = String(payload.hook_event_name);
    if (native === "session.status" && eventName === "Notification") {
      return { ...facts, message: textOf(objectOf(propertiesOf(payload).status).message), notificationType: "retry" };
    }
    if (eventName === "Notification") return { ...facts, ...questionFacts(native, propertiesOf(payload), facts.cwd) };
    if (eventName === "StopFailure") {
      const error = errorOf(payload);
      const message = textOf(objectOf(error.data).message) ?? textOf(error.message);
      const reason = errorReason(textOf(error.name), objectOf(error.data).statusCode);
      return { ...facts, message, reason, ...(isEscape(eventName, payload) ? { means: "interrupted" } : {}) };
    }
    if (isEscape(eventName, payload)) return { ...facts, means: "interrupted" };
    if (native === "session.deleted") return { ...facts, reason: "deleted" };
    if (/^(?:permission|question)\.(?:v2\.)?(?:replied|rejected)$/.test(native)) {
      return { ...facts, reason: textOf(propertiesOf(payload).reply), isAnswer: true };
    }
    return facts;
  },
  asks(_eventName, payload) {
    const { hook_event_name: native } = payload;
    const properties = propertiesOf(payload);
    // opencode's terminal asks, too, and the first answer counts.
    if (native === "question.asked") return askedQuestions(properties, true);
    if (native !== "permission.asked") return undefined;
    const { filepath: path, ...metadata } = objectOf(properties.metadata);
    // For a tool of an MCP server, opencode tells no arguments, only that they could be any; for a task, not its prompt.
    const isTask = properties.permission === "task" && metadata.prompt === undefined;
    const tellsNothing =
      isTask || (path === undefined && Object.keys(metadata).length === 0 && isEverything(properties.patterns));
    const input = tellsNothing
      ? undefined
      : {
          ...(path === undefined ? {} : { file_path: path }),
          ...metadata,
          ...(metadata.command === undefined ? { patterns: properties.patterns } : {}),
        };
    const call = { tool_name: properties.permission, tool_input: input };
    return askedPermission(call, { showsDialog: true, takesSuggestion: false });
  },
  // Headers may contain cookies.
  withheld: ["properties.error.data.responseHeaders", "event.properties.error.data.responseHeaders"],
};

/** The other status is that it is idle. */
const ofStatus: Partial<Record<string, string>> = Object.assign(Object.create(null), {
  busy: "UserPromptSubmit",
  retry: "Notification",
});

function isEverything(patterns: unknown): boolean {
  return !Array.isArray(patterns) || patterns.every((pattern) => pattern === "*");
}

function propertiesOf(payload: Payload): Payload {
  return objectOf(payload.properties ?? objectOf(payload.event).properties);
}

function isOfChild(payload: Payload): boolean {
  return textOf(payload.parent_agent_id) !== undefined;
}

function statusOf(payload: Payload): unknown {
  return objectOf(propertiesOf(payload).status).type;
}

/** A refused call ends the turn, too, unless the refusal has words. */
function isEscape(eventName: string, payload: Payload): boolean {
  return eventName === "StopFailure"
    ? errorOf(payload).name === "MessageAbortedError"
    : eventName === "Stop" && payload.is_stopped === true;
}

function errorOf(payload: Payload): Payload {
  return objectOf(propertiesOf(payload).error);
}

function questionFacts(native: string, properties: Payload, cwd: string): Partial<PayloadFacts> {
  if (native.startsWith("question")) {
    return { ...requestFacts(questionsIn(properties, cwd)), notificationType: "elicitation_dialog" };
  }
  return { ...requestFacts(permissionIn(properties, cwd)), notificationType: "permission_prompt" };
}

const tools: ToolReaders = {
  bash: "runs",
  edit: (call) => usualTools.edits(call) ?? usualTools.patches(call),
  write: "writes",
  patch: "patches",
  read: "reads",
  webfetch: "fetches",
  websearch: "searches",
  task: "startsSubagent",
  question: "asksQuestions",
};

/** A permission by its kind, `metadata` and patterns. Releases before 1.1 say `type`, `pattern` and a `title`. */
function permissionIn(properties: Payload, cwd: string): ToolRequest | undefined {
  const tool = textOf(properties.permission) ?? textOf(properties.action) ?? textOf(properties.type);
  if (tool === undefined) return undefined;
  const patterns = [properties.patterns, properties.pattern, properties.resources].flat();
  const pattern = firstText(patterns);
  const metadata = objectOf(properties.metadata);
  const command = textOf(metadata.command) ?? (tool === "bash" ? (textOf(properties.title) ?? pattern) : undefined);
  const path = textOf(metadata.filepath) ?? textOf(metadata.filePath) ?? pattern;
  const url = textOf(metadata.url) ?? pattern;
  return toolRequest(tools, { tool, input: { ...metadata, command, path, url }, cwd });
}

function questionsIn(properties: Payload, cwd: string): ToolRequest | undefined {
  return usualTools.asksQuestions({ tool: "question", input: properties, cwd });
}
