// Enqueue: deliveries, the journal's lines, the session's record, all on the disk; nothing is sent before `commit`.
import { give } from "../../answers/give-answer.ts";
import { ofAllSessions } from "../../model/own-events.ts";
import { placeDelivery, removePlaced, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { IncomingPayload } from "../../outbox/incoming.ts";
import { endQuestions, noteNotAsked } from "../answers/ask.ts";
import type { Dispatcher } from "../dispatcher.ts";
import {
  notifyBrokenProjectFile,
  notifyUnknownQuestion,
  notifyUnroutedHook,
  withdrawBrokenProjectFile,
} from "../notices.ts";
import { shortened } from "../coalescer/waiting-list.ts";
import type { Outdated } from "../../policies/answered.ts";
import type { Asked, Decided } from "./context.ts";
import { recordEvent } from "./record-event.ts";

export interface Enqueued {
  /** Sessions of which more is known now than before. */
  sessions?: string[];
  deliveries: DeliveryFile[];
  /** What is shown and out of date now. */
  outdated?: Outdated[];
}

/** `incoming`: the payload that reports the event, which a fleet's other machines are told of. */
export function enqueue(context: Asked, dispatcher: Dispatcher, incoming?: IncomingPayload): Enqueued {
  const { decided } = context;
  const { event, session, parent, retraction, position, question } = decided;
  const fleet = dispatcher.fleet();
  const published = { question: context.over === undefined ? question : undefined, silence: publishedSilence(decided) };
  if (incoming !== undefined) fleet?.publish(incoming, event, published);
  if (question !== undefined) noteAsked(dispatcher, context, question);
  const list = retraction?.isAnswer ? shortened(dispatcher, event, session, position) : undefined;
  const planned = [...context.deliveries, ...(list?.deliveries ?? [])];
  placeAll(dispatcher, planned);
  recordEvent(dispatcher, decided);
  for (const { file, delivery } of planned) {
    if (delivery.hold === undefined || delivery.event.id !== event.id) continue;
    fleet?.reserve({ file, event, asks: delivery.kind === "question" });
  }
  if (retraction !== undefined) endQuestions(dispatcher, position, event, session);
  return {
    sessions: [session.session, ...(parent === undefined ? [] : [parent.session])],
    deliveries: [
      ...planned,
      ...notifyBrokenProjectFile(dispatcher, decided.projectFile),
      ...(planned.length === 0 && decided.suppressed === undefined ? notifyUnknownQuestion(dispatcher, event) : []),
      ...(decided.suppressed === undefined ? notifyUnroutedHook(dispatcher, event, planned) : []),
    ],
    outdated: [
      ...outdatedBy(decided, list?.empty ?? []),
      ...withdrawBrokenProjectFile(dispatcher, decided.projectFile),
    ],
  };
}

function publishedSilence({ suppressed }: Decided): "repeat" | "ignored" | undefined {
  if (suppressed?.by === "duplicate") return "repeat";
  return suppressed?.by === "agent" || suppressed?.by === "subagent" ? "ignored" : undefined;
}

function noteAsked(
  dispatcher: Dispatcher,
  { decided, notAsked, over }: Asked,
  question: NonNullable<Decided["question"]>,
): void {
  for (const each of notAsked) noteNotAsked(dispatcher, question, decided.event.id, each);
  if (over === undefined) return;
  const at = dispatcher.tools.clock.now();
  give(dispatcher.layout, question, { choice: "none", by: over, isUnanswered: true, at });
}

function outdatedBy({ event, planned, retraction }: Decided, emptyLists: readonly string[]): Outdated[] {
  if (retraction === undefined) return [];
  // A channel that shows something newer of the session at once has replaced the older.
  const newer = planned.filter(({ delivery }) => delivery.hold === undefined).map(({ delivery }) => delivery.channel);
  const own = { event, retraction, isMeant: (channel: string) => !newer.includes(channel) };
  const isEmpty = (channel: string): boolean => emptyLists.includes(channel);
  const list = { event: { ...event, ...ofAllSessions }, owner: "list" as const, retraction, isMeant: isEmpty };
  return emptyLists.length > 0 ? [own, list] : [own];
}

/** Place all or none: one left behind would be sent now, and again when the payload is taken in again. */
function placeAll({ layout }: Dispatcher, planned: readonly DeliveryFile[]): void {
  try {
    for (const { file, delivery } of planned) placeDelivery(layout, file, delivery);
  } catch (error) {
    removePlaced(layout, planned);
    throw error;
  }
}
