// Enqueue: deliveries, the journal's lines, the session's record, all on the disk; nothing is sent before `commit`.
import { severalWhy } from "../../policies/together.ts";
import { give } from "../../answers/give-answer.ts";
import { isToolCall, type AgentEvent } from "../../model/event.ts";
import { isVerification, ofAllSessions } from "../../model/own-events.ts";
import { maskEvent } from "../../model/privacy/scrub-event.ts";
import { placeDelivery, removePlaced, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import type { IncomingPayload } from "../../outbox/incoming.ts";
import { writeJournal, type JournalEntry } from "../../outbox/journal.ts";
import { unlessStorageTrouble } from "../../outbox/layout.ts";
import { maskSession, writeSession } from "../../outbox/sessions.ts";
import { readLimit, writeLimit } from "../../outbox/shared/limits.ts";
import { endQuestions, noteNotAsked } from "../answers/ask.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { notifyBrokenProjectFile } from "../notices.ts";
import { takeTokens } from "../decide/decide.ts";
import { noteSession, shortened } from "../coalescer/waiting-list.ts";
import type { Outdated } from "../delivery/retract.ts";
import type { Asked, Decided } from "./context.ts";

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
  if (incoming !== undefined) fleet?.publish(incoming, event, { question, silence: publishedSilence(decided) });
  if (question !== undefined) noteAsked(dispatcher, context, question);
  const list = retraction?.isAnswer ? shortened(dispatcher, event, session, position) : undefined;
  const planned = [...context.deliveries, ...(list?.deliveries ?? [])];
  placeAll(dispatcher, planned);
  record(dispatcher, decided);
  for (const { file, delivery } of planned) {
    if (delivery.hold === undefined || delivery.event.id !== event.id) continue;
    fleet?.reserve({ file, event, asks: delivery.kind === "question" });
  }
  if (retraction !== undefined) endQuestions(dispatcher, position, event, session);
  return {
    sessions: [session.session, ...(parent === undefined ? [] : [parent.session])],
    deliveries: [...planned, ...notifyBrokenProjectFile(dispatcher, decided.projectFile)],
    outdated: outdatedBy(decided, list?.empty ?? []),
  };
}

function publishedSilence({ suppressed }: Decided): "repeat" | "ignored" | undefined {
  if (suppressed?.by === "duplicate") return "repeat";
  return suppressed?.by === "agent" || suppressed?.by === "subagent" ? "ignored" : undefined;
}

function noteAsked(
  dispatcher: Dispatcher,
  { decided, notAsked, isUnshown }: Asked,
  question: NonNullable<Decided["question"]>,
): void {
  for (const each of notAsked) noteNotAsked(dispatcher, question, decided.event.id, each);
  if (!isUnshown) return;
  const at = dispatcher.tools.clock.now();
  give(dispatcher.layout, question, { choice: "none", by: "no channel shows it", isUnanswered: true, at });
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

/** What is recorded of the decision about an event. */
type RecordedDecision = Pick<Decided, "event" | "selection"> &
  Partial<Pick<Decided, "suppressed" | "diagnostics" | "facts" | "trace">> & {
    planned: readonly (DeliveryFile & { scrubbed?: readonly string[] })[];
  };

/** What is recorded of an event, whether a payload or a command made it. */
type Recorded = RecordedDecision & Pick<Decided, "session"> & Partial<Pick<Decided, "parent" | "limit">>;

/** Records an event, the decision about it, and the session's new state. */
export function record({ layout, tools }: Pick<Dispatcher, "layout" | "tools">, plan: Recorded): void {
  const { event, parent, limit = [], planned } = plan;
  const session = maskSession(plan.session);
  recordDecision({ layout, tools }, plan);
  if (isVerification(event.session)) return;
  noteSession(layout, session);
  // The message matters more than its record.
  unlessStorageTrouble(() => {
    writeSession(layout, session);
    if (parent !== undefined) writeSession(layout, parent);
  });
  for (const each of limit) {
    recordDecision({ layout, tools }, { ...each, planned });
    const { agent } = each.event;
    unlessStorageTrouble(() => writeLimit(layout, agent, { ...readLimit(layout, agent), told: each.told }));
  }
}

/** Messages that are sent now count for the throttles. */
function recordDecision({ layout, tools }: Pick<Dispatcher, "layout" | "tools">, plan: RecordedDecision): void {
  const { event, selection, suppressed } = plan;
  if (suppressed?.by !== "frequency") writeJournal(layout, tools.clock.now(), ...entriesOf(plan));
  if (isVerification(event.session)) return;
  for (const { decision, rule, channel } of selection.chosen) {
    if (decision.action === "send") takeTokens({ layout, tools }, event, rule, channel);
  }
}

function entriesOf(plan: RecordedDecision): Omit<JournalEntry, "at">[] {
  const { planned, suppressed, diagnostics, facts } = plan;
  // The record is shown to others.
  const { event } = maskEvent(plan.event);
  const duplicateOf = suppressed?.by === "duplicate" ? suppressed.of : undefined;
  const entry = {
    kind: "event" as const,
    event: isToolCall(event.name) ? withoutWords(event) : event,
    ignored: suppressed?.why,
    duplicateOf,
    ...noteOf(diagnostics),
    known: facts,
  };
  // Tool calls come in hundreds, so those that notify no one are only counted.
  const isOnlyCounted = isToolCall(event.name) && planned.length === 0 && suppressed === undefined;
  return isOnlyCounted ? [entry] : [entry, decisionOf(plan)];
}

/** A tool call's reason is what the tool wrote; its request is what ran. */
function withoutWords({ message: _, title: __, reason: ___, request: ____, ...event }: AgentEvent): AgentEvent {
  return event;
}

function decisionOf({ event, planned, selection, suppressed, trace }: RecordedDecision): Omit<JournalEntry, "at"> {
  return {
    kind: "decision",
    event: event.id,
    rules: selection.rules,
    deliveries: planned
      .filter(({ delivery }) => delivery.event.id === event.id)
      .map(({ delivery: { id, channel, rule, hold, joins, notBefore }, scrubbed = [] }) => ({
        id,
        channel,
        rule,
        ...(hold === undefined && joins && { silent: severalWhy(event) }),
        ...(hold && { by: hold.by, held: hold.why, until: new Date(notBefore).toISOString() }),
        ...(scrubbed.length > 0 && { scrubbed }),
      })),
    silent: selection.silent,
    trace,
    why: suppressed?.why,
    duplicateOf: suppressed?.by === "duplicate" ? suppressed.of : undefined,
    wouldReach: suppressed?.by === "verification" ? suppressed.wouldReach : undefined,
  };
}

function noteOf({ calledAs, drift = [], isShortened }: Partial<Decided["diagnostics"]> = {}): Record<string, unknown> {
  return { calledAs, drift: drift.length === 0 ? undefined : drift, isShortened };
}
