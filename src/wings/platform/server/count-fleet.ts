// What is counted of an event that came by a fleet's stream.
import { usageOfPayload } from "../../../agents/dialect/usage.ts";
import { readPayload } from "../../../agents/read-payload.ts";
import type { FedEvent } from "../../../http-server/served.ts";
import { ownAgents } from "../../../model/own-events.ts";
import { countedSchema, type EventOf, whyRefused } from "./store/events.ts";

/** The payload as a webhook has it. What cannot be counted is left out, since it would be refused by HTTPS too. */
export function countedOf({ person, eventId, body }: FedEvent, nowMs: number): EventOf[] {
  const { agentId, eventName, text, from, at, silence } = body;
  const reading = readPayload(text, { agentId, eventName, env: {} });
  if (reading.status === "invalid" || silence === "repeat") return [];
  const { agentEvent, eventName: name, usual, facts } = reading;
  const event = {
    id: eventId,
    name,
    agentEvent,
    agent: ownAgents.has(reading.agentId) ? "generic" : reading.agentId,
    session: from === undefined ? facts.session : `${from}:${facts.session}`,
    at: new Date(at).toISOString(),
    usage: usageOfPayload(usual, agentEvent ?? name),
  };
  const counted = countedSchema.safeParse(event).data;
  if (counted === undefined || whyRefused(counted, nowMs) !== undefined) return [];
  return [{ event: counted, user: person, isIgnored: silence === "ignored" }];
}
