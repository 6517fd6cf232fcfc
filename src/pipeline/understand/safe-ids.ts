// Ids and tool calls that a payload names, as they are kept: an id that has a credential in it becomes a digest, by which a session is told apart as well.
import { textOf } from "../../model/json.ts";
import { maskText } from "../../model/privacy/originals.ts";
import { maskId } from "../../outbox/sessions.ts";
import type { CallFacts } from "../../sessions/signs.ts";
import { digestOfInput } from "./session.ts";
import { signsOf } from "./transcript.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";

/** Call it before anything is kept or looked up by an id of the payload. A second call changes nothing. */
export function withSafeIds<Reading extends PayloadReading & { status: "valid" }>(reading: Reading): Reading {
  const { agentId, calledAs, facts, usual } = reading;
  const { session, helperOf } = facts;
  return {
    ...reading,
    agentId: maskText(agentId) === agentId ? agentId : "generic",
    ...(calledAs === undefined ? {} : { calledAs: maskText(calledAs) }),
    facts: { ...facts, session: maskId(session), ...(helperOf === undefined ? {} : { helperOf: maskId(helperOf) }) },
    usual: typeof usual.session_id === "string" ? { ...usual, session_id: maskId(usual.session_id) } : usual,
  };
}

/** What the payload says of the tool call that its event is about. */
export function callFactsOf(
  { agentId, eventName, usual, payload }: PayloadReading & { status: "valid" },
  receivedAt: number,
): CallFacts {
  const tool = textOf(usual.tool_name);
  const { duration_ms: durationMs } = usual;
  return {
    call: tool === undefined ? undefined : { tool: maskText(tool), input: digestOfInput(usual.tool_input) },
    begunAt: typeof durationMs === "number" ? receivedAt - durationMs : undefined,
    helper: idIn(usual.agent_id),
    question: idIn(usual.question_id),
    subagentTranscript:
      eventName === "SubagentStart" && signsOf(agentId)?.tellsOfSubagents === true
        ? textOf(payload.transcript_path)
        : undefined,
    // A subagent's call is in the subagent's own transcript.
    transcript: textOf(usual.agent_transcript_path) ?? textOf(payload.transcript_path),
  };
}

/** A payload may hold anything where an agent writes an id. */
function idIn(value: unknown): string | undefined {
  const id = textOf(value);
  return id === undefined ? undefined : maskId(id);
}
