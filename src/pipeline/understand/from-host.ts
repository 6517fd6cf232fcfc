// Reads a payload of another machine: its paths and processes mean nothing here, and must not be looked up.
import type { Payload } from "../../agents/dialect/agent.ts";
import { ownAgents } from "../../model/own-events.ts";
import type { ValidReading } from "./reading.ts";

/**
 * Sessions and folders get the host's name in front, as scp writes it: no session of this machine can have such an id, and
 * no file here such a path. Paths of transcripts are left out, or the host could have any file of this machine read.
 */
export function fromHost(reading: ValidReading, host: string): ValidReading {
  const there = (text: string): string => (text === "" ? "" : `${host}:${text}`);
  const withoutFiles = ({ transcript_path: _, agent_transcript_path: __, ...rest }: Payload): Payload => rest;
  const { facts, payload, usual } = reading;
  const session = there(facts.session);
  const cwd = there(facts.cwd);
  const { helperOf } = facts;
  return {
    ...reading,
    // Only this machine speaks for hookbell itself.
    agentId: ownAgents.has(reading.agentId) ? "generic" : reading.agentId,
    facts: {
      ...facts,
      session,
      cwd,
      ...(helperOf === undefined ? {} : { helperOf: helperOf === "unknown" ? helperOf : there(helperOf) }),
    },
    payload: withoutFiles(payload),
    usual: { ...withoutFiles(usual), session_id: session, cwd },
  };
}
