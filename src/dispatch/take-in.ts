// The first half of the pipeline: takes payloads in, from incoming/ to deliveries in outbox/.
import { describePayloadProblem, maxPayloadBytes, readPayload, type PayloadReading } from "../agents/read-payload.ts";
import { messageOf } from "../model/errors.ts";
import { isQuestion } from "../model/event.ts";
import { removePlaced, syncPlaced } from "../outbox/deliveries/deliveries.ts";
import { readIncoming, removeIncoming, type IncomingPayload } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import { type Layout, describeStorageTrouble } from "../outbox/layout.ts";
import { maskText } from "../model/privacy/originals.ts";
import { keepRejected, quarantine } from "../outbox/rejected.ts";
import { beginWork } from "../outbox/stuck/note.ts";
import { askInstead } from "./answers/ask.ts";
import { createBacklog, type Glance } from "./backlog.ts";
import { carryOut, type TakenIn } from "./carry-out.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { notifyRejectedPayload } from "./notices.ts";
import { type PayloadPlan, planPayload } from "./plan/plan-payload.ts";
import { adoptEnvironment } from "./understand/agent-environment.ts";
import { fromHost } from "./understand/from-host.ts";
import { asks } from "./understand/moment.ts";

/** Ids derive from the payload's name, and nothing is sent before it has left incoming/: a crash repeats no message. Undefined without the lease. */
async function takeIn(dispatcher: Dispatcher, file: string, hasLease: () => boolean): Promise<TakenIn | undefined> {
  const incoming = readIncoming(dispatcher.layout, file, maxPayloadBytes);
  if (incoming === undefined) return { deliveries: [] };
  const reading = validate(incoming);
  adoptEnvironment(dispatcher, incoming);
  if (reading.status === "invalid") return hasLease() ? reject(dispatcher, incoming, reading) : undefined;
  const plan = await planPayload(dispatcher, reading, incoming);
  // Another dispatcher would send what this one has sent and not settled.
  if (!hasLease()) return undefined;
  const { event, question, planned } = plan;
  dispatcher.fleet()?.publish(incoming, event, { question, silence: silenceOf(plan) });
  return carryOut(dispatcher, plan, incoming.position, askInstead(dispatcher, question, planned));
}

function silenceOf({ silence }: PayloadPlan): "repeat" | "ignored" | undefined {
  if (silence?.by === "duplicate") return "repeat";
  return silence?.by === "agent" || silence?.by === "helper" ? "ignored" : undefined;
}

/** The shell hook validates nothing, so the dispatcher does. */
function validate({ agentId, eventName, bytes, size, remoteHost }: IncomingPayload): PayloadReading {
  if (size <= maxPayloadBytes) {
    const reading = readPayload(bytes.toString("utf8"), { agentId, eventName, env: {} });
    return remoteHost === undefined || reading.status === "invalid" ? reading : fromHost(reading, remoteHost);
  }
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
  const reasons = reading.problems.map((problem) => maskText(describePayloadProblem(problem, reading.eventName)));
  const kept = keepRejected(layout, bytes, reasons, now);
  writeJournal(layout, now, { kind: "rejected", file: kept, cameAs: maskText(file), reasons });
  return { deliveries: notifyRejectedPayload(dispatcher, reading) };
}

/** The most payloads that wait for the disk at once. */
const maxUnsynced = 64;
/** While many payloads wait, so many are synced together: each sync makes all other writes to the disk wait. */
const syncedTogether = 32;

export interface Intake {
  /** Takes one payload in, if one waits. Throws the system's error on a failing disk; what was taken in before it counts. */
  takeNext(): Promise<void>;
  /** More payloads wait than were taken in. */
  hasBacklog(): boolean;
  /** Some of them can be taken in now; otherwise the disk is busy, and `wake` is called when it is ready. */
  canTakeNext(): boolean;
  /** What was taken in waits for the disk. */
  isSyncing(): boolean;
  finish(): Promise<void>;
}

/** What one payload has become; it leaves incoming/ once its deliveries are on the disk. */
interface Placed {
  file: string;
  taken: TakenIn;
}

/**
 * Payloads are taken in one by one. Those that were taken in while the disk was busy wait for it together; in a backlog,
 * more of them do.
 * `onPlaced` is called before the disk has them, `onTaken` when they may be sent, `onFailed` if they are gone again.
 */
export function createIntake(
  dispatcher: Dispatcher,
  hasLease: () => boolean,
  {
    onPlaced,
    onTaken,
    onFailed,
    wake,
  }: {
    onPlaced(files: readonly string[]): void;
    onTaken(taken: TakenIn): void;
    onFailed(files: readonly string[]): void;
    wake(): void;
  },
): Intake {
  const { layout, tools } = dispatcher;
  const inHand = new Set<string>();
  let unsynced: Placed[] = [];
  let syncing: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;
  const backlog = createBacklog(
    layout,
    tools.clock,
    (file) => inHand.has(file),
    (file) => glanceAt(layout, file),
  );

  const sync = async (): Promise<void> => {
    const batch = unsynced;
    unsynced = [];
    const left = [...batch];
    try {
      const placed = batch.flatMap(({ taken }) => filesOf(taken));
      if (placed.length > 0) await syncPlaced(layout, placed);
      await dispatcher.fleet()?.sync();
      if (!hasLease()) return;
      for (const { file, taken } of batch) {
        removeIncoming(layout, file);
        left.shift();
        onTaken(taken);
      }
    } catch (error) {
      for (const { taken } of left) removePlaced(layout, taken.deliveries);
      onFailed(left.flatMap(({ taken }) => filesOf(taken)));
      failure = { error };
    } finally {
      for (const { file } of batch) inHand.delete(file);
    }
  };
  const isDue = (): boolean =>
    unsynced.length >= (backlog.isEmpty() ? 1 : syncedTogether) || unsynced.some(({ taken }) => asksIn(taken));
  const keepSyncing = async (): Promise<void> => {
    while (isDue()) await sync();
    syncing = undefined;
    wake();
  };

  return {
    async takeNext() {
      if (failure !== undefined) {
        const { error } = failure;
        failure = undefined;
        backlog.forget();
        throw error;
      }
      if (unsynced.length >= maxUnsynced) return;
      const file = backlog.next();
      try {
        if (file === undefined) return;
        const taken = await takeInOrQuarantine(dispatcher, file, hasLease);
        if (taken === undefined) return;
        inHand.add(file);
        onPlaced(filesOf(taken));
        unsynced.push({ file, taken });
      } catch (error) {
        backlog.forget();
        throw error;
      } finally {
        if (isDue()) syncing ??= keepSyncing();
      }
    },
    hasBacklog: () => !backlog.isEmpty(),
    canTakeNext: () => !backlog.isEmpty() && unsynced.length < maxUnsynced,
    isSyncing: () => syncing !== undefined || unsynced.length > 0,
    async finish() {
      await syncing;
      if (unsynced.length > 0) await sync();
    },
  };
}

function filesOf({ deliveries }: TakenIn): string[] {
  return deliveries.map(({ file }) => file);
}

function asksIn({ deliveries }: TakenIn): boolean {
  return deliveries.some(({ delivery }) => isQuestion(delivery.event));
}

/** Which session a payload is of, and whether it asks; a payload that cannot be read is of none. */
function glanceAt(layout: Layout, file: string): Glance {
  const none = { session: "", isQuestion: false };
  const end = beginWork({ work: `incoming/${file}` });
  try {
    const incoming = readIncoming(layout, file, maxPayloadBytes);
    const reading = incoming && validate(incoming);
    if (reading?.status !== "valid") return none;
    return { session: `${reading.agentId}\n${reading.facts.session}`, isQuestion: asks(reading) };
  } catch {
    return none;
  } finally {
    end();
  }
}

/** A payload that meets a bug does not stop the others. */
async function takeInOrQuarantine(
  dispatcher: Dispatcher,
  file: string,
  hasLease: () => boolean,
): Promise<TakenIn | undefined> {
  const end = beginWork({ work: `incoming/${file}` });
  try {
    return await takeIn(dispatcher, file, hasLease);
  } catch (error) {
    const { layout, tools } = dispatcher;
    if (describeStorageTrouble(layout, error) !== undefined) throw error;
    quarantine(layout, "incoming", file, `cannot be taken in: ${messageOf(error)}`, tools.clock.now());
    return { deliveries: [] };
  } finally {
    end();
  }
}
