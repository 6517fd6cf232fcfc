import { describePayloadProblem, readPayload } from "../agents/read-payload.ts";
import type { Delivery } from "../model/delivery.ts";
import type { AgentEvent } from "../model/event.ts";
import { writeDelivery } from "../outbox/deliveries.ts";
import { readIncoming, removeIncoming } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import { keepRejected } from "../outbox/rejected.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { record, understand } from "./understand.ts";

/** What one payload became. */
export interface Ingested {
  event: AgentEvent | undefined;
  deliveries: { file: string; delivery: Delivery }[];
}

/**
 * incoming/ -> event -> rules -> outbox/. The payload leaves incoming/ only when all its deliveries lie in the outbox,
 * and none of them may be sent before; so a crash anywhere in here repeats the work without repeating a message.
 */
export function ingest(dispatcher: Dispatcher, file: string): Ingested {
  const { layout, tools } = dispatcher;
  const incoming = readIncoming(layout, file);
  if (incoming === undefined) return { event: undefined, deliveries: [] };

  const { agentId, eventName } = incoming;
  const reading = readPayload(incoming.text, { agentId, eventName, env: {} });
  if (reading.status === "invalid") {
    const now = tools.clock.now();
    const reasons = reading.problems.map((problem) => describePayloadProblem(problem, reading.eventName));
    keepRejected(layout, Buffer.from(incoming.text), reasons, now);
    writeJournal(layout, now, { kind: "rejected", file, reasons });
    removeIncoming(layout, file);
    return { event: undefined, deliveries: [] };
  }
  const understood = understand(dispatcher, reading, incoming);
  for (const { file: name, delivery } of understood.planned) writeDelivery(layout, "outbox", name, delivery);
  record(dispatcher, understood);
  removeIncoming(layout, file);
  return { event: understood.event, deliveries: understood.planned };
}
