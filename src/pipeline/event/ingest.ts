// Ingest: a payload of incoming/, read and validated for its event.
import {
  describePayloadProblem,
  maxPayloadBytes,
  readPayload,
  type PayloadReading,
} from "../../agents/read-payload.ts";
import { wasQuestion } from "../../model/event.ts";
import { maskText } from "../../model/privacy/originals.ts";
import type { IncomingPayload } from "../../outbox/incoming.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { keepRejected } from "../../outbox/rejected.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { notifyRejectedPayload } from "../notices.ts";
import { adoptEnvironment } from "../understand/agent-environment.ts";
import { fromHost } from "../understand/from-host.ts";
import type { ValidReading } from "../understand/reading.ts";
import type { Ingested } from "./context.ts";
import type { Enqueued } from "./enqueue.ts";
import { type Trace, withFinding } from "../stages.ts";

export type InvalidReading = PayloadReading & { status: "invalid" };

export function ingest(incoming: IncomingPayload, dispatcher: Dispatcher): Ingested | InvalidReading {
  const reading = validate(incoming);
  adoptEnvironment(dispatcher, incoming);
  return reading.status === "invalid" ? reading : { reading, origin: incoming };
}

/** How a valid payload was read: with this, its trace begins. */
export function traceOfReading({ agentId, calledAs, drift, isShortened }: ValidReading): Trace {
  return withFinding(
    [],
    "ingest",
    `read as ${agentId}${calledAs === undefined ? "" : `, called as ${calledAs}`}`,
    drift.length === 0
      ? undefined
      : `${drift.length} of its fields ${drift.length === 1 ? "is" : "are"} not as expected`,
    isShortened === true ? "shortened" : undefined,
  );
}

/** The shell hook validates nothing, so the dispatcher does. */
export function validate({ agentId, eventName, hookOf, bytes, size, remoteHost }: IncomingPayload): PayloadReading {
  if (size <= maxPayloadBytes) {
    const reading = readPayload(bytes.toString("utf8"), { agentId, eventName, env: {}, hookOf });
    return remoteHost === undefined || reading.status === "invalid" ? reading : fromHost(reading, remoteHost);
  }
  const problems = [{ field: "", expected: `at most ${maxPayloadBytes} bytes`, got: `${size}` }];
  const mayAsk = wasQuestion({ name: eventName ?? "" });
  return { status: "invalid", agentId: agentId ?? "generic", eventName, problems, mayAsk };
}

/** Keeps the payload aside, and tells the user once. */
export function reject(dispatcher: Dispatcher, { file, bytes }: IncomingPayload, reading: InvalidReading): Enqueued {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  const reasons = reading.problems.map((problem) => maskText(describePayloadProblem(problem, reading.eventName)));
  const kept = keepRejected(layout, bytes, reasons, now);
  writeJournal(layout, now, { kind: "rejected", file: kept, cameAs: maskText(file), reasons });
  return { deliveries: notifyRejectedPayload(dispatcher, reading, file) };
}
