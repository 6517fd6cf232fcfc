// How the events that hookbell's extension passes on from pi are read: https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/extensions.md
import type { Agent, PayloadFacts, Payload } from "../../dialect/agent.ts";
import { errorReason } from "../../dialect/error-reason.ts";
import { commonTypes, genericFacts } from "../../dialect/generic.ts";
import { requestFacts, usualTools } from "../../dialect/tool-line.ts";
import { objectIn, objectOf, textOf } from "../../../model/json.ts";

/** `{"agent":"pi","type":…,"session_id":…,"cwd":…,"mode":…}`, and what the extension takes out of the event. */
export const pi: Agent = {
  id: "pi",
  name: "pi",
  docs: "https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/extensions.md",
  isAuthor: (payload) => payload.agent === "pi" && textOf(payload.type) !== undefined,
  variables: { ofHooks: [], ofCommands: ["PI_CODING_AGENT"], ofProcess: "HOOKBELL_AGENT_PID" },
  nativeName: (payload, given) => payload.type ?? given,
  types: {
    ...commonTypes,
    mode: "string",
    aborted: "boolean",
    error: "string",
    prompt: "string",
    source: "string",
    kind: "string",
    tool_input: "object",
  },
  eventNames: {
    input: "UserPromptSubmit",
    ui_prompt_start: "Notification",
    // No other agent has an event like this.
    ui_prompt_end: "ui_prompt_end",
    session_start: "SessionStart",
    session_shutdown: "SessionEnd",
  },
  eventName(native, payload) {
    if (native !== "agent_settled") return undefined;
    return typeof payload.error === "string" && payload.aborted !== true ? "StopFailure" : "Stop";
  },
  ignores: (eventName, payload) => (isEscape(eventName, payload) ? "the user stopped the turn" : undefined),
  facts(payload, eventName) {
    const facts = genericFacts({ ...payload, error: undefined });
    if (isEscape(eventName, payload)) return { ...facts, means: "interrupted" };
    if (eventName === "StopFailure") return { ...facts, ...failureFacts(textOf(payload.error) ?? "") };
    if (eventName === "Notification") return { ...facts, ...questionFacts(payload), notificationType };
    if (payload.type === "ui_prompt_end") return { ...facts, isAnswer: true };
    // An extension has written the prompt.
    if (eventName === "UserPromptSubmit" && payload.source === "extension") return { ...facts, means: "resumed" };
    return facts;
  },
};

const notificationType = "elicitation_dialog";

function isEscape(eventName: string, payload: Payload): boolean {
  return eventName === "Stop" && payload.aborted === true;
}

/** `400: {"message":…,"type":…}`, or the words alone. */
function failureFacts(error: string): Pick<PayloadFacts, "message" | "reason"> {
  const [, status, rest = ""] = /^(\d{3}):? ([^]*)$/.exec(error) ?? [];
  const body = objectIn(rest);
  const { message, type } = { ...objectOf(body), ...objectOf(objectOf(body).error) };
  const reason = errorReason(textOf(type), status === undefined ? undefined : Number(status));
  return { message: textOf(message) ?? textOf(error), reason: reason ?? "unknown" };
}

function questionFacts({ message, tool_input: input, cwd }: Payload): Partial<PayloadFacts> {
  const words = textOf(message);
  if (words !== undefined) return { request: words };
  return requestFacts(usualTools.asksQuestions({ tool: "question", input: objectOf(input), cwd: textOf(cwd) ?? "" }));
}
