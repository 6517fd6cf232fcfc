// What Codex writes when its question is answered at its terminal.
import type { AnswerSigns, CallNews } from "../../answer-signs.ts";
import type { Payload } from "../../dialect/agent.ts";
import { parsedInput } from "./transcript.ts";
import { asObject, objectOf, parseJson, textOf } from "../../../model/json.ts";

export const codexAnswerSigns: AnswerSigns = {
  callsIn({ type, payload: given }) {
    const payload = objectOf(given);
    if (type === "event_msg") {
      const isInterrupted = payload.type === "turn_aborted";
      return { isInterrupted, isOver: isInterrupted || payload.type === "task_complete", ...failureOf(payload) };
    }
    const id = textOf(payload.call_id);
    if (type !== "response_item" || id === undefined) return undefined;
    if (String(payload.type).endsWith("_call_output")) return { ended: [id] };
    if (!String(payload.type).endsWith("_call")) return undefined;
    const input = parsedInput(payload.arguments ?? payload.input ?? payload.action);
    return { begun: [{ id, tool: textOf(payload.name) ?? "shell", input }] };
  },
  tellsOfSubagents: true,
  /**
   * Codex runs its hook first: https://github.com/openai/codex/issues/23465. The values are `user`, `auto_review` and
   * `guardian_subagent`.
   */
  isReviewed(text) {
    const { type, payload } = (text.includes('"turn_context"') && asObject(parseJson(text))) || {};
    const reviewer = type === "turn_context" ? textOf(objectOf(payload).approvals_reviewer) : undefined;
    return reviewer === undefined ? undefined : reviewer !== "user";
  },
  startedBy(text) {
    const { type, payload } = (text.includes('"session_meta"') && asObject(parseJson(text))) || {};
    return type === "session_meta" ? { isHeadless: objectOf(payload).source === "exec" } : undefined;
  },
  // Codex's transcript has a long command only after ten seconds. A subagent's command names the main session. Measured
  // with 0.169.0.
  commands: {
    variables: ["CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID"],
    of: (_argv, { CODEX_SESSION_ID: session, CODEX_TOOL_CALL_ID: call }) =>
      session === undefined || call === undefined ? undefined : { session, call },
  },
};

/** No hook runs after an error. Measured with 0.169.0. */
function failureOf({ type, error: given }: Payload): Pick<CallNews, "failure" | "failureMessage"> {
  if (type !== "task_complete" || typeof given !== "object" || given === null) return {};
  const error = objectOf(given);
  const [name, message] = [textOf(error.codex_error_info), textOf(error.message)];
  return name === undefined ? { failure: message ?? "error" } : { failure: name, failureMessage: message };
}
