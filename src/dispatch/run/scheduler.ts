// The second half of the pipeline: sends what waits in outbox/, one delivery at a time for each channel.
import type { Turn } from "../../fleet/buckets/claims.ts";
import type { DeliveryKind } from "../../model/delivery.ts";
import { removeDelivery, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import { journalBug, writeJournal } from "../../outbox/journal.ts";
import type { HeldLease } from "../../outbox/lease/lease.ts";
import type { Rules } from "../../rules/rules.ts";
import type { Dispatcher, Staying } from "../dispatcher.ts";
import { sendDelivery } from "../send/send-delivery.ts";
import { summarise, summaryAgeMs, type Summary } from "../send/summary.ts";
import { weighAgain } from "../send/weigh-again.ts";
import { withdrawReplaced, withdrawShown } from "../send/withdraw.ts";
import type { Enqueued } from "../event/enqueue.ts";
import { settle } from "../send/settle.ts";
import { readWaiting } from "../policy/waiting-delivery.ts";
import { maxSleepMs } from "./decide.ts";
import {
  addDelivery,
  change,
  createLanes,
  dequeue,
  escalatingSessions,
  gatheredWith,
  holdUntil,
  isKnown,
  type Lane,
  type Lanes,
  reconsider,
  reopenLane,
  sortLanes,
  takeUpAll,
  takeUpFile,
  type Waiting,
} from "./lanes.ts";
import { describeStorageTrouble, storageRetryMs } from "../../outbox/layout.ts";
import { type ChannelState, opensAt, readChannelState, takeTurn } from "../policy/endpoint-policy.ts";

export interface Scheduler {
  lanes(): Lane[];
  /** Whether the scheduler knows the file, also one that it leaves alone. */
  has(file: string): boolean;
  add(added: DeliveryFile): void;
  /** Adds what the disk has now, asks attention again about what it holds of the sessions that have changed, and withdraws what is out of date. */
  take(taken: Enqueued): void;
  /** Leaves these files alone until they are taken or forgotten. */
  expect(files: readonly string[]): void;
  forget(files: readonly string[]): void;
  /** Reads what other processes have changed. */
  takeUp(files: "all" | readonly string[]): void;
  /** Sends the delivery, or asks attention about it again. */
  start(lane: Lane, file: string): void;
  reconsiderSession(session: string): void;
  escalating(): { agent: string; session: string }[];
  /** The end of the job wakes the loop. */
  run(job: Promise<void>): void;
  isWorking(): boolean;
  finish(): Promise<void>;
}

/** What sending needs. */
interface Sending {
  dispatcher: Dispatcher;
  lanes: Lanes;
  lease: Pick<HeldLease, "renew" | "isLost">;
  staying: Staying;
  run: Scheduler["run"];
}

export function createScheduler(
  dispatcher: Dispatcher,
  lease: Pick<HeldLease, "renew" | "isLost">,
  staying: Staying,
  onProgress: () => void,
): Scheduler {
  const { clock } = dispatcher.tools;
  const lanes = createLanes();
  const running = new Set<Promise<void>>();
  /** What has changed while deliveries waited for the disk: these sessions, or something that counts for all. */
  let changed: Set<string> | "all" = new Set();
  let rules: Rules | undefined;
  let { env } = dispatcher.tools;

  const run = (job: Promise<void>): void => {
    const watched = job
      .catch((error: unknown) => journalBug(dispatcher.layout, dispatcher.tools.clock.now(), error))
      .finally(() => {
        running.delete(watched);
        onProgress();
      });
    running.add(watched);
  };

  const reconsiderSession = (session: string): void =>
    reconsider(lanes, clock.now(), (waiting) => waiting.session === session);

  const sending: Sending = { dispatcher, lanes, lease, staying, run };

  return {
    lanes() {
      // Other rules may apply now.
      const { rules: current } = dispatcher.rules();
      if (current !== rules || dispatcher.tools.env !== env) {
        for (const lane of lanes.byChannel.values()) reopenLane(lane);
        reconsider(lanes, clock.now(), () => true);
        if (lanes.unsynced.size > 0) changed = "all";
      }
      rules = current;
      ({ env } = dispatcher.tools);
      sortLanes(lanes);
      return [...lanes.byChannel.values()];
    },
    has: (file) => isKnown(lanes, file),
    add: (added) => addDelivery(lanes, added),
    take({ deliveries, sessions = [], outdated = [] }) {
      for (const { file } of deliveries) lanes.unsynced.delete(file);
      for (const session of sessions) reconsiderSession(session);
      for (const each of deliveries) {
        addDelivery(lanes, each);
        if (changed === "all" || changed.has(each.delivery.event.session))
          reconsider(lanes, clock.now(), ({ file }) => file === each.file);
      }
      if (lanes.unsynced.size === 0) changed = new Set();
      else if (changed !== "all") for (const session of sessions) changed.add(session);
      for (const each of outdated) {
        run(withdrawShown(dispatcher, each).then((edits) => edits.forEach((edit) => addDelivery(lanes, edit))));
      }
    },
    expect: (files) => files.forEach((file) => lanes.unsynced.add(file)),
    forget: (files) => files.forEach((file) => lanes.unsynced.delete(file)),
    takeUp(files) {
      if (files === "all") takeUpAll(dispatcher, lanes);
      else for (const file of files) takeUpFile(dispatcher, lanes, file);
    },
    start(lane, file) {
      try {
        const work = workFor(sending, lane, file);
        if (work !== undefined) run(occupy(sending, lane, file, work));
      } catch (error) {
        setBack(sending, lane, file, error);
      }
    },
    reconsiderSession(session) {
      if (lanes.unsynced.size > 0 && changed !== "all") changed.add(session);
      reconsiderSession(session);
    },
    escalating: () => escalatingSessions(lanes),
    run,
    isWorking: () => running.size > 0,
    async finish() {
      await Promise.all(running);
    },
  };
}

/** The lane sends nothing else while the work goes on. */
async function occupy(sending: Sending, lane: Lane, file: string, work: () => Promise<void>): Promise<void> {
  lane.sending = file;
  try {
    await work();
  } catch (error) {
    setBack(sending, lane, file, error);
  } finally {
    lane.sending = undefined;
  }
}

/** Undefined where the lane has to wait, or its deliveries have become one. */
function workFor(sending: Sending, lane: Lane, file: string): (() => Promise<void>) | undefined {
  const { dispatcher, lanes, lease } = sending;
  const now = dispatcher.tools.clock.now();
  const isRecorded = lane.unrecorded === undefined;
  const waiting = lane.waiting.get(file);
  if (waiting?.hold !== undefined && isRecorded) return () => weighHeld(sending, lane, waiting);
  if (dispatcher.fleet() !== undefined && waiting !== undefined && waiting.turn === undefined && isRecorded) {
    return () => askFleet(sending, lane);
  }
  const state = readChannelState(dispatcher, lane.channel);
  const openAt = isRecorded ? opensAt(state, now) : now;
  if (openAt > now) {
    // `hookbell test` may open it earlier.
    lane.closedUntil = Math.min(openAt, now + maxSleepMs);
    return undefined;
  }
  // A disk that takes not even this would take no outcome.
  if (!lease.renew()) return undefined;
  if (isRecorded && summariseOld(dispatcher, lanes, lane, state, now)) return undefined;
  const counted = isRecorded ? takeTurn(dispatcher, state, now) : state;
  return () => deliver(sending, lane, file, counted);
}

/** Sends the delivery, then settles it. */
async function deliver(sending: Sending, lane: Lane, file: string, state: ChannelState): Promise<void> {
  const { dispatcher, lanes, lease, staying } = sending;
  const note = lane.waiting.get(file)?.turn?.note;
  change(lanes, file, { turn: undefined });
  const result = lane.unrecorded ?? (await sendDelivery(dispatcher, file, state, staying, note));
  if (result === undefined) return dequeue(lanes, file);
  lane.unrecorded = result;
  const { outcome } = result.attempt;
  // Another process may have delivered it while this one was frozen.
  if (outcome.status === "failed" && !lease.renew()) return;
  const settled = settle(dispatcher, result);
  lane.unrecorded = undefined;
  lane.lacksSecret = outcome.status === "failed" && outcome.reason === "missingSecret";
  lane.closedUntil = lane.lacksSecret && settled.next === "retry" ? settled.notBefore : 0;
  // The lane waits for its secret, not one delivery.
  if (settled.next === "retry") change(lanes, file, { notBefore: lane.lacksSecret ? 0 : settled.notBefore });
  else dequeue(lanes, file);
  for (const added of settled.added) addDelivery(lanes, added);
  if (outcome.status === "delivered")
    sending.run(withdrawReplaced(dispatcher, result.list?.delivery ?? result.delivery));
}

/** Asks for what else is due as well, so that old messages can become one. */
async function askFleet({ dispatcher, lanes }: Sending, lane: Lane): Promise<void> {
  const now = dispatcher.tools.clock.now();
  const due = [...lane.waiting.values()].filter((each) => each.hold === undefined && each.notBefore <= now);
  const files = due.filter(({ turn }) => turn === undefined).map((each) => each.file);
  await takeTurns(dispatcher, lanes, files);
}

/** They tell nothing new: they are about what this machine has shown or claimed, or about itself. */
const ownKinds: ReadonlySet<DeliveryKind> = new Set(["list", "summary", "edit", "retraction", "notice"]);

/** Returns those that this machine tells now. Another machine may yet have to tell of the others, which wait; or it has told. */
async function takeTurns(dispatcher: Dispatcher, lanes: Lanes, files: readonly string[]): Promise<string[]> {
  const fleet = dispatcher.fleet();
  if (fleet === undefined) return [...files];
  const told: string[] = [];
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (delivery === "later") continue;
    if (delivery === undefined) {
      dequeue(lanes, file);
      continue;
    }
    const { id, kind, event, channel, rule } = delivery;
    const turn: Turn = ownKinds.has(kind)
      ? { next: "tell" }
      : await fleet.turn({ file, event, asks: kind === "question" });
    if (turn.next === "tell") change(lanes, file, { turn: { note: turn.note } });
    if (turn.next === "tell") told.push(file);
    if (turn.next === "wait") change(lanes, file, { notBefore: turn.until });
    if (turn.next !== "leave") continue;
    removeDelivery(dispatcher.layout, "outbox", file);
    dequeue(lanes, file);
    const verdict = { delivery: id, channel, rule, verdict: "drop", by: "fleet", why: turn.why };
    writeJournal(dispatcher.layout, dispatcher.tools.clock.now(), { kind: "attention", event: event.id, ...verdict });
  }
  return told;
}

/** Old messages become one, once their receiver answers. */
function summariseOld(
  dispatcher: Dispatcher,
  lanes: Lanes,
  lane: Lane,
  { channel, endpoint }: ChannelState,
  now: number,
): boolean {
  if (channel?.summaryFrom === undefined || endpoint.breaker !== undefined) return false;
  const old = [...lane.waiting.values()].filter(
    (each) =>
      each.eventMs < now - summaryAgeMs &&
      each.notBefore <= now &&
      (dispatcher.fleet() === undefined || each.turn !== undefined),
  );
  if (old.length < channel.summaryFrom) return false;
  const files = old.map(({ file }) => file);
  return replaceBy(lanes, summarise(dispatcher, channel, files, "long"));
}

function replaceBy(lanes: Lanes, summary: Summary | undefined): boolean {
  if (summary === undefined) return false;
  for (const file of summary.removed) dequeue(lanes, file);
  addDelivery(lanes, summary.added);
  return true;
}

/** Deliveries that attention releases are sent next; those that waited together are sent as one. */
async function weighHeld(sending: Sending, lane: Lane, waiting: Waiting): Promise<void> {
  const { dispatcher, lanes, lease } = sending;
  const { clock } = dispatcher.tools;
  const { file, hold } = waiting;
  const isDue = hold !== undefined && hold.until <= clock.now();
  const files = isDue ? gatheredWith(lane, waiting) : [file];
  const { released, held, gone } = await weighAgain(dispatcher, files, isDue, lease.renew);
  for (const each of gone) dequeue(lanes, each);
  for (const each of held) holdUntil(lanes, each.file, each.until);
  for (const each of released) change(lanes, each, { hold: undefined, notBefore: clock.now() });
  const told = await takeTurns(dispatcher, lanes, released);
  const { channel } = readChannelState(dispatcher, lane.channel);
  if (told.length > 1 && channel !== undefined) replaceBy(lanes, summarise(dispatcher, channel, told, "together"));
}

/** A bug is one delivery's trouble, a full disk the whole lane's. */
function setBack({ dispatcher, lanes }: Sending, lane: Lane, file: string, error: unknown): void {
  const againAt = dispatcher.tools.clock.now() + storageRetryMs;
  const isOfDisk = describeStorageTrouble(dispatcher.layout, error) !== undefined;
  if (isOfDisk || lane.unrecorded !== undefined) lane.closedUntil = againAt;
  else change(lanes, file, { notBefore: againAt });
  if (!isOfDisk) journalBug(dispatcher.layout, dispatcher.tools.clock.now(), error);
}
