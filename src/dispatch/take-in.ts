// The first half of the pipeline: takes payloads in, from incoming/ to deliveries in outbox/.
import { describePayloadProblem, maxPayloadBytes, readPayload, type PayloadReading } from "../agents/read-payload.ts";
import { messageOf } from "../model/errors.ts";
import type { AgentEvent } from "../model/event.ts";
import { placeDelivery, removePlaced, syncPlaced, type DeliveryFile } from "../outbox/deliveries.ts";
import { readIncoming, removeIncoming, type IncomingPayload } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import { keepRejected, quarantine } from "../outbox/rejected.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { notifyRejectedPayload } from "./notices/rejected-payload.ts";
import { planPayload } from "./plan/plan-payload.ts";
import { record } from "./plan/record.ts";
import { isStorageTrouble } from "./policy/storage-trouble.ts";
import { adoptEnvironment } from "./understand/agent-environment.ts";

export interface TakenIn {
  /** Absent where nothing is to be done about it. */
  event?: AgentEvent;
  deliveries: DeliveryFile[];
}

/** Nothing is sent before the payload has left incoming/, and ids derive from its file, so a crash in here repeats the work without repeating a message. */
function takeIn(dispatcher: Dispatcher, file: string): TakenIn {
  const incoming = readIncoming(dispatcher.layout, file, maxPayloadBytes);
  if (incoming === undefined) return { deliveries: [] };
  const reading = validate(incoming);
  if (reading.status === "invalid") return reject(dispatcher, incoming, reading);
  adoptEnvironment(dispatcher, incoming);
  const plan = planPayload(dispatcher, reading, incoming);
  place(dispatcher, plan.planned);
  record(dispatcher, plan);
  const { event, ignored, planned } = plan;
  // An answer takes back what was asked, even when no channel hears of it.
  return ignored === undefined || event.isAnswer === true ? { event, deliveries: planned } : { deliveries: planned };
}

/** The shell hook validates nothing, so the dispatcher does. */
function validate({ agentId, eventName, bytes, size }: IncomingPayload): PayloadReading {
  if (size <= maxPayloadBytes) return readPayload(bytes.toString("utf8"), { agentId, eventName, env: {} });
  const problems = [{ field: "", expected: `at most ${maxPayloadBytes} bytes`, got: `${size}` }];
  return { status: "invalid", agentId: agentId ?? "generic", eventName, problems };
}

function reject(
  dispatcher: Dispatcher,
  { file, bytes }: IncomingPayload,
  reading: PayloadReading & { status: "invalid" },
): TakenIn {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  const reasons = reading.problems.map((problem) => describePayloadProblem(problem, reading.eventName));
  const kept = keepRejected(layout, bytes, reasons, now);
  writeJournal(layout, now, { kind: "rejected", file: kept, cameAs: file, reasons });
  return { deliveries: notifyRejectedPayload(dispatcher, reading) };
}

/** All or none: one left behind would be sent now, and again when the payload is taken in again. */
function place({ layout }: Dispatcher, planned: readonly DeliveryFile[]): void {
  try {
    for (const { file, delivery } of planned) placeDelivery(layout, file, delivery);
  } catch (error) {
    removePlaced(layout, planned);
    throw error;
  }
}

/** Deliveries get a turn after this many payloads, or this long. */
const batchSize = 16;
const batchMs = 250;

/** Takes the next payloads off the backlog. Throws the system's error on a failing disk; what was taken in before it counts. */
export function takeInBatch(
  dispatcher: Dispatcher,
  backlog: string[],
  isHeld: () => boolean,
  onTaken: (taken: TakenIn) => void,
): void {
  const batch: { file: string; taken: TakenIn }[] = [];
  const { clock } = dispatcher.tools;
  const endsAt = clock.now() + batchMs;
  try {
    while (batch.length < batchSize && (batch.length === 0 || clock.now() < endsAt)) {
      // A slow payload must not let the lease lapse: another dispatcher would send again what this one has not settled.
      const file = backlog.length > 0 && isHeld() ? backlog.shift() : undefined;
      if (file === undefined) break;
      batch.push({ file, taken: takeInOrQuarantine(dispatcher, file) });
    }
  } finally {
    // One payload that does not fit must not hold back those before it.
    handOver(dispatcher, batch, onTaken);
  }
}

/** A payload that meets a bug does not stop the others. */
function takeInOrQuarantine(dispatcher: Dispatcher, file: string): TakenIn {
  try {
    return takeIn(dispatcher, file);
  } catch (error) {
    if (isStorageTrouble(error)) throw error;
    const { layout, tools } = dispatcher;
    quarantine(layout, "incoming", file, `cannot be taken in: ${messageOf(error)}`, tools.clock.now());
    return { deliveries: [] };
  }
}

/** One wait for the disk for all of them. */
function handOver(
  { layout }: Dispatcher,
  batch: readonly { file: string; taken: TakenIn }[],
  onTaken: (taken: TakenIn) => void,
): void {
  const left = [...batch];
  try {
    const placed = batch.flatMap(({ taken }) => taken.deliveries.map(({ file }) => file));
    if (placed.length > 0) syncPlaced(layout, placed);
    for (const { file, taken } of batch) {
      removeIncoming(layout, file);
      left.shift();
      onTaken(taken);
    }
  } catch (error) {
    for (const { taken } of left) removePlaced(layout, taken.deliveries);
    throw error;
  }
}
