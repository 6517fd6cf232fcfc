import {
  describePayloadProblem,
  maxPayloadBytes,
  readPayload,
  type PayloadReading,
} from "../../agents/read-payload.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { placeDelivery } from "../../outbox/deliveries.ts";
import { readIncoming, type IncomingPayload } from "../../outbox/incoming.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { keepRejected } from "../../outbox/rejected.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { tellOfRejected } from "../notices/rejected-payload.ts";
import { record, understand } from "./plan-payload.ts";

/** What one payload became. */
export interface Ingested {
  event: AgentEvent | undefined;
  deliveries: { file: string; delivery: Delivery }[];
}

/**
 * incoming/ -> event -> rules -> outbox/. The caller syncs the outbox and removes the payload, and sends nothing before;
 * so a crash anywhere in here repeats the work without repeating a message.
 */
export function ingest(dispatcher: Dispatcher, file: string): Ingested {
  const { layout, tools } = dispatcher;
  const incoming = readIncoming(layout, file, maxPayloadBytes);
  if (incoming === undefined) return { event: undefined, deliveries: [] };

  // The shell's hook leaves it to us to look.
  const reading = validate(incoming);
  if (reading.status === "invalid") {
    const now = tools.clock.now();
    const reasons = reading.problems.map((problem) => describePayloadProblem(problem, reading.eventName));
    const kept = keepRejected(layout, incoming.bytes, reasons, now);
    writeJournal(layout, now, { kind: "rejected", file: kept, cameAs: file, reasons });
    return { event: undefined, deliveries: tellOfRejected(dispatcher, reading) };
  }
  const understood = understand(dispatcher, reading, incoming);
  for (const { file: name, delivery } of understood.planned) placeDelivery(layout, name, delivery);
  record(dispatcher, understood);
  const { event, ignored, planned } = understood;
  // An answer takes back what was asked, though nobody is told of it.
  const isToActOn = ignored === undefined || event.isAnswer === true;
  return { event: isToActOn ? event : undefined, deliveries: planned };
}

function validate({ agentId, eventName, bytes, size }: IncomingPayload): PayloadReading {
  if (size <= maxPayloadBytes) return readPayload(bytes.toString("utf8"), { agentId, eventName, env: {} });
  const problems = [{ field: "", expected: `at most ${maxPayloadBytes} bytes`, got: `${size}` }];
  return { status: "invalid", agentId: agentId ?? "generic", eventName, problems };
}
