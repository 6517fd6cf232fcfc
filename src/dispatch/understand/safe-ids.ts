// Ids that a payload names, as they are kept: one that has a credential in it becomes a digest, by which a session is told apart as well.
import { maskText } from "../../model/privacy/originals.ts";
import { maskId } from "../../outbox/sessions.ts";
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
