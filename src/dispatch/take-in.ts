// The first half of the pipeline: takes payloads in, from incoming/ to deliveries in outbox/.
import { describePayloadProblem, maxPayloadBytes, readPayload, type PayloadReading } from "../agents/read-payload.ts";
import { messageOf } from "../model/errors.ts";
import { ofAllSessions } from "../model/own-events.ts";
import { placeDelivery, removePlaced, syncPlaced, type DeliveryFile } from "../outbox/deliveries.ts";
import { readIncoming, removeIncoming, type IncomingPayload } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import { keepRejected, quarantine } from "../outbox/rejected.ts";
import { askInstead, endQuestions } from "./answers/ask.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { notifyBrokenProjectFile, notifyRejectedPayload } from "./notices.ts";
import { planPayload, type PayloadPlan } from "./plan/plan-payload.ts";
import { shortened } from "./plan/roll-up.ts";
import type { Outdated } from "./send/withdraw.ts";
import { record } from "./plan/record.ts";
import { isStorageTrouble } from "./policy/retry-timing.ts";
import { adoptEnvironment } from "./understand/agent-environment.ts";
import { observeMoment } from "./understand/moment.ts";
import { understand } from "./understand/understand.ts";

export interface TakenIn {
  /** Sessions of which more is known now. */
  sessions?: string[];
  deliveries: DeliveryFile[];
  /** What is shown and out of date now. */
  outdated?: Outdated[];
}

/** Ids derive from the payload's name, and nothing is sent before it has left incoming/: a crash repeats no message. Undefined without the lease. */
async function takeIn(dispatcher: Dispatcher, file: string, hasLease: () => boolean): Promise<TakenIn | undefined> {
  const incoming = readIncoming(dispatcher.layout, file, maxPayloadBytes);
  if (incoming === undefined) return { deliveries: [] };
  const reading = validate(incoming);
  adoptEnvironment(dispatcher, incoming);
  const moment = reading.status === "valid" ? await observeMoment(dispatcher, reading, incoming) : undefined;
  // Another dispatcher would send what this one has sent and not settled.
  if (!hasLease()) return undefined;
  if (reading.status === "invalid") return reject(dispatcher, incoming, reading);
  const understood = understand(dispatcher, reading, { ...incoming, ...moment });
  const plan = planPayload(dispatcher, understood);
  const { event, session, parent, withdrawal } = plan;
  const list = withdrawal?.isAnswer ? shortened(dispatcher, event, session, incoming.position) : undefined;
  const asked = askInstead(dispatcher, incoming.position, plan.planned);
  const planned = [...asked, ...(list?.deliveries ?? [])];
  place(dispatcher, planned);
  record(dispatcher, plan);
  if (withdrawal !== undefined) endQuestions(dispatcher, incoming.position, event);
  return {
    sessions: [session.session, ...(parent === undefined ? [] : [parent.session])],
    deliveries: [...planned, ...notifyBrokenProjectFile(dispatcher, plan.projectFile)],
    outdated: outdatedBy(plan, list?.isEmpty === true),
  };
}

function outdatedBy({ event, planned, withdrawal }: PayloadPlan, isListEmpty: boolean): Outdated[] {
  if (withdrawal === undefined) return [];
  // A channel that shows something newer of the session at once has replaced the older.
  const newer = planned.filter(({ delivery }) => delivery.hold === undefined).map(({ delivery }) => delivery.channel);
  const own = { event, withdrawal, isMeant: (channel: string) => !newer.includes(channel) };
  const list = { event: { ...event, ...ofAllSessions }, withdrawal, isMeant: () => true };
  return isListEmpty ? [own, list] : [own];
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

/** Then deliveries get a turn. */
const batchSize = 16;
const batchMs = 250;

/** Throws the system's error on a failing disk; what was taken in before it counts. */
export async function takeInBatch(
  dispatcher: Dispatcher,
  backlog: string[],
  hasLease: () => boolean,
  onTaken: (taken: TakenIn) => void,
): Promise<void> {
  const batch: { file: string; taken: TakenIn }[] = [];
  const { clock } = dispatcher.tools;
  const endsAt = clock.now() + batchMs;
  try {
    while (batch.length < batchSize && (batch.length === 0 || clock.now() < endsAt)) {
      const file = backlog.shift();
      const taken = file === undefined ? undefined : await takeInOrQuarantine(dispatcher, file, hasLease);
      if (file === undefined || taken === undefined) break;
      batch.push({ file, taken });
    }
  } finally {
    // One payload that does not fit must not hold back those before it.
    handOver(dispatcher, batch, onTaken);
  }
}

/** A payload that meets a bug does not stop the others. */
async function takeInOrQuarantine(
  dispatcher: Dispatcher,
  file: string,
  hasLease: () => boolean,
): Promise<TakenIn | undefined> {
  try {
    return await takeIn(dispatcher, file, hasLease);
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
