// Takes deliveries up into the lanes: those that this dispatcher adds, and those that other processes change in outbox/.
import type { Delivery } from "../../model/delivery.ts";
import { isQuestion } from "../../model/event.ts";
import {
  isDeliveryFile,
  listDeliveries,
  positionIn,
  removeDelivery,
  type DeliveryFile,
} from "../../outbox/deliveries.ts";
import { listPositions } from "../../outbox/incoming.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { dueAt } from "../policy/retry-timing.ts";
import { readWaiting } from "../send/waiting-delivery.ts";
import { change, dequeue, enqueue, holdUntil, isKnown, reopenLane, type Lanes } from "./lanes.ts";

export function addDelivery(lanes: Lanes, { file, delivery }: DeliveryFile): void {
  const { channel, event, hold, escalatesAfterMs } = delivery;
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
  const summarised = new Set(read.flatMap(({ delivery }) => (delivery.summarises ?? []).map((each) => each.file)));
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
