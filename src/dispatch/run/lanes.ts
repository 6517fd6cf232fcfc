// The outbox in memory: one lane for each channel, what may be sent next, and how files come into the lanes and leave them.
import type { AttemptResult } from "../send/send-delivery.ts";
import type { Delivery } from "../../model/delivery.ts";
import { isQuestion } from "../../model/event.ts";
import {
  type DeliveryFile,
  escalationOf,
  isDeliveryFile,
  listDeliveries,
  positionIn,
  removeDelivery,
  summarisedBy,
} from "../../outbox/deliveries/deliveries.ts";
import { listPositions } from "../../outbox/incoming.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { dueAt, readWaiting } from "../policy/waiting-delivery.ts";

/** Times are milliseconds since the epoch. */
export interface Waiting {
  file: string;
  session: string;
  notBefore: number;
  eventMs: number;
  /** A question goes before other sessions' news. */
  isUrgent?: boolean | undefined;
  /** Attention holds it until then; those with the same `gather` leave as one. */
  hold?: { until: number; gather: string | undefined } | undefined;
  /**
   * Set when it is this machine's turn to tell, which is asked again before each attempt; `note` is a line that the
   * message gets.
   */
  turn?: { note: string | undefined } | undefined;
  /** The session whose escalation this is a step of. */
  step?: { agent: string; session: string } | undefined;
}

/** The deliveries of one channel, sent one at a time. */
export interface Lane {
  channel: string;
  /** Deliveries are in the order of time, once sorted. */
  waiting: Map<string, Waiting>;
  isSorted: boolean;
  newest: string;
  urgent: number;
  sending?: string | undefined;
  closedUntil: number;
  /** Waiting for its secret keeps no dispatcher alive. */
  lacksSecret: boolean;
  /** The result of a message that was sent while the disk took no record of it; it is settled first. */
  unrecorded?: AttemptResult | undefined;
}

export interface Lanes {
  byChannel: Map<string, Lane>;
  byFile: Map<string, Lane>;
  /** Files of a later version of hookbell. */
  leftAlone: Set<string>;
  /** The payload of these files is still in incoming/, so a crash would make them again. */
  unsynced: Set<string>;
  /** Steps of escalations. */
  steps: Set<string>;
}

export function createLanes(): Lanes {
  return { byChannel: new Map(), byFile: new Map(), leftAlone: new Set(), unsynced: new Set(), steps: new Set() };
}

export function isKnown({ byFile, leftAlone, unsynced }: Lanes, file: string): boolean {
  return byFile.has(file) || leftAlone.has(file) || unsynced.has(file);
}

export function enqueue(lanes: Lanes, channel: string, waiting: Waiting): void {
  const { file } = waiting;
  if (lanes.byFile.has(file)) return;
  const lane = lanes.byChannel.get(channel) ?? emptyLane(channel);
  lanes.byChannel.set(channel, lane);
  lanes.byFile.set(file, lane);
  lane.waiting.set(file, waiting);
  if (waiting.step !== undefined) lanes.steps.add(file);
  if (waiting.isUrgent === true) lane.urgent += 1;
  if (file < lane.newest) lane.isSorted = false;
  else lane.newest = file;
}

export function emptyLane(channel: string): Lane {
  return { channel, waiting: new Map(), isSorted: true, newest: "", urgent: 0, closedUntil: 0, lacksSecret: false };
}

/** A retried dead letter is older than the rest. */
export function sortLanes({ byChannel }: Lanes): void {
  for (const lane of byChannel.values()) {
    if (lane.isSorted) continue;
    const sorted = [...lane.waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    lane.waiting = new Map(sorted);
    lane.newest = sorted.at(-1)?.[0] ?? "";
    lane.isSorted = true;
  }
}

export function dequeue(lanes: Lanes, file: string): void {
  const lane = lanes.byFile.get(file);
  if (lane?.waiting.get(file)?.isUrgent === true) lane.urgent -= 1;
  lane?.waiting.delete(file);
  lanes.steps.delete(file);
  lanes.byFile.delete(file);
}

/** Does nothing if the delivery no longer waits. */
export function change(
  { byFile }: Lanes,
  file: string,
  changes: Partial<Pick<Waiting, "notBefore" | "hold" | "turn">>,
): void {
  const waiting = byFile.get(file)?.waiting.get(file);
  if (waiting !== undefined) Object.assign(waiting, changes);
}

export function holdUntil(lanes: Lanes, file: string, until: number): void {
  const { hold } = lanes.byFile.get(file)?.waiting.get(file) ?? {};
  change(lanes, file, { notBefore: until, hold: hold && { ...hold, until } });
}

/** Asks attention again about what it holds. */
export function reconsider({ byChannel }: Lanes, now: number, isMeant: (waiting: Waiting) => boolean): void {
  for (const { waiting } of byChannel.values()) {
    for (const each of waiting.values()) {
      if (each.hold !== undefined && isMeant(each)) each.notBefore = Math.min(each.notBefore, now);
    }
  }
}

/** Sessions with an escalation that waits. */
export function escalatingSessions({ byFile, steps }: Lanes): { agent: string; session: string }[] {
  const waiting = [...steps].flatMap((file) => {
    const { hold, step } = byFile.get(file)?.waiting.get(file) ?? {};
    return hold === undefined || step === undefined ? [] : [step];
  });
  return [...new Map(waiting.map((step) => [`${step.agent} ${step.session}`, step])).values()];
}

/** The deliveries that leave with this one when its time has come. */
export function gatheredWith({ waiting }: Lane, { file, hold }: Waiting): string[] {
  if (hold?.gather === undefined) return [file];
  return [...waiting.values()].filter((each) => each.hold?.gather === hold.gather).map((each) => each.file);
}

export function reopenLane(lane: Lane | undefined): void {
  if (lane === undefined || lane.unrecorded !== undefined) return;
  lane.lacksSecret = false;
  lane.closedUntil = 0;
}

export function addDelivery(lanes: Lanes, { file, delivery }: DeliveryFile): void {
  const { channel, event, hold } = delivery;
  const escalatesAfterMs = escalationOf(delivery);
  const notBefore = dueAt(delivery);
  enqueue(lanes, channel, {
    file,
    session: event.session,
    notBefore,
    eventMs: Date.parse(event.at),
    isUrgent: isQuestion(event),
    hold: hold && { until: notBefore, gather: hold.gather },
    step: escalatesAfterMs === undefined ? undefined : { agent: event.agent, session: event.session },
  });
}

export function takeUpAll(dispatcher: Dispatcher, lanes: Lanes): void {
  const { layout } = dispatcher;
  const dead = new Set(listDeliveries(layout, "dead"));
  const found = listDeliveries(layout, "outbox").filter((file) => !isKnown(lanes, file));
  // After a crash, the payload is taken in again and makes the same deliveries: sent before, they would go out twice.
  const untaken = found.length === 0 ? new Set() : listPositions(layout);
  const unknown = found.filter((file) => !untaken.has(positionIn(file)));
  const read = unknown.flatMap((file) => {
    const delivery = readNew(dispatcher, lanes, file);
    return delivery === undefined ? [] : [{ file, delivery }];
  });
  const summarised = new Set(read.flatMap(({ delivery }) => summarisedBy(delivery).map((each) => each.file)));
  for (const { file, delivery } of read) {
    // A crash came before this copy of the delivery was removed.
    if (dead.has(file) || summarised.has(file)) removeDelivery(layout, "outbox", file);
    else addDelivery(lanes, { file, delivery });
  }
}

/** A command may have added, sent, postponed or discarded the delivery. */
export function takeUpFile(dispatcher: Dispatcher, lanes: Lanes, file: string): void {
  const lane = lanes.byFile.get(file);
  if (!isDeliveryFile(file) || lanes.unsynced.has(file)) return;
  if (lane?.sending === file || lane?.unrecorded?.file === file) return;
  const delivery = readNew(dispatcher, lanes, file);
  if (delivery === undefined) return dequeue(lanes, file);
  const due = dueAt(delivery);
  if (lane === undefined) {
    addDelivery(lanes, { file, delivery });
    // `hookbell retry` says that the receiver is back.
    reopenLane(lanes.byChannel.get(delivery.channel));
  } else if (delivery.hold === undefined) change(lanes, file, { notBefore: due });
  else {
    // What this dispatcher wrote itself must not undo that the session has gone on since, or that it was released.
    const hold = lane.waiting.get(file)?.hold;
    if (hold !== undefined && hold.until !== due) holdUntil(lanes, file, due);
  }
}

function readNew(dispatcher: Dispatcher, lanes: Lanes, file: string): Delivery | undefined {
  const delivery = readWaiting(dispatcher, file);
  if (delivery !== "later") return delivery;
  if (!lanes.leftAlone.has(file)) {
    const detail = `outbox/${file} is of a later version of hookbell`;
    writeJournal(dispatcher.layout, dispatcher.tools.clock.now(), { kind: "dispatcher", what: "left alone", detail });
  }
  lanes.leftAlone.add(file);
  return undefined;
}
