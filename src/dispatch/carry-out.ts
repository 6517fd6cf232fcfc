// Carries out what an event was planned to become, whether a payload tells of it or an agent's own files, and records it.
import { severalWhy } from "../attention/throttle.ts";
import { isToolCall, type AgentEvent } from "../model/event.ts";
import { isVerification, ofAllSessions } from "../model/own-events.ts";
import { maskEvent } from "../model/privacy/scrub-event.ts";
import { lastPart } from "../model/text.ts";
import { placeDelivery, removePlaced, type DeliveryFile } from "../outbox/deliveries/deliveries.ts";
import { eventIdOf } from "../outbox/incoming.ts";
import { writeJournal, type JournalEntry } from "../outbox/journal.ts";
import { maskSession, readSession, writeSession } from "../outbox/sessions.ts";
import type { Selection } from "../rules/apply/select.ts";
import { turnOf } from "../sessions/state.ts";
import { uniqueName } from "../system/files/files.ts";
import { endQuestions } from "./answers/ask.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Observed } from "./observe/observer.ts";
import { notifyBrokenProjectFile } from "./notices.ts";
import { takeTokens } from "./plan/hold-back.ts";
import { planMoment, type PayloadPlan } from "./plan/plan-payload.ts";
import { noteSession, shortened } from "./plan/waiting-list.ts";
import type { Outdated } from "./send/withdraw.ts";
import { momentOfEvent } from "./understand/moment.ts";
import { isStorageTrouble } from "../outbox/layout.ts";

export interface TakenIn {
  /** Sessions of which more is known now than before. */
  sessions?: string[];
  deliveries: DeliveryFile[];
  /** What is shown and out of date now. */
  outdated?: Outdated[];
}

type ObservedEvent = { name: string; why?: string } & Partial<AgentEvent>;

/** What is observed of a session stands in the journal as an event. `why` says why no one is told; without it, rules decide. */
const observedNames: Partial<Record<Observed["kind"], ObservedEvent>> = {
  asks: {
    name: "Notification",
    notificationType: "permission_prompt",
    level: "attention",
    message: "It asks you at its terminal.",
  },
  answered: { name: "Answered", why: "", isAnswer: true },
  interrupted: { name: "Interrupted", why: "the transcript says that you stopped the turn", means: "interrupted" },
  reviewOver: { name: "ReviewOver", why: "the agent's own reviewer has not decided in its time" },
  idle: { name: "Idle", why: "the agent records that it waits for a prompt", means: "interrupted" },
  failed: { name: "StopFailure", level: "error" },
  processGone: { name: "ProcessGone", why: "its process has ended" },
  told: { name: "Answered", why: "its machine says so" },
};

/** Something that no payload tells of; `how` tells what does, where it is not the usual. */
export function takeObservationIn(
  dispatcher: Dispatcher,
  { agent, session }: Pick<AgentEvent, "agent" | "session">,
  observation: Observed,
  how?: string,
): TakenIn {
  const { kind } = observation;
  const { why, name, ...facts }: ObservedEvent = observedNames[kind] ?? { name: kind, why: kind };
  const { layout, host, tools } = dispatcher;
  const before = readSession(layout, agent, session);
  const { folder: cwd = "", project = lastPart(cwd), branch, worktree } = before;
  const startedAt = turnOf(before)?.startedAt;
  const now = tools.clock.now();
  const position = uniqueName(now);
  const event: AgentEvent = {
    id: eventIdOf(position, now),
    name,
    agent,
    session,
    cwd,
    project,
    host,
    at: new Date(now).toISOString(),
    level: "info",
    branch,
    worktree,
    ...facts,
    ...(observation.kind === "failed" && {
      reason: observation.what,
      message: observation.message,
      durationMs: startedAt === undefined ? undefined : observation.at - startedAt,
    }),
  };
  const known = { position, ignored: how ?? why };
  const moment =
    kind === "asks"
      ? momentOfEvent(dispatcher, { ...event, at: new Date(observation.at).toISOString() }, known)
      : momentOfEvent(dispatcher, event, { ...known, observation });
  const plan = planMoment(dispatcher, moment);
  // Another machine says every few seconds how its sessions are, which is worth a line only where it ends a question.
  const isQuiet = kind === "told" && plan.withdrawal === undefined;
  return carryOut(dispatcher, isQuiet ? { ...plan, silence: { by: "frequency" } } : plan, position, plan.planned);
}

/** Places the deliveries, records the decision, and ends what the event has made out of date. */
export function carryOut(
  dispatcher: Dispatcher,
  plan: PayloadPlan,
  position: string,
  asked: readonly DeliveryFile[],
): TakenIn {
  const { event, session, parent, withdrawal } = plan;
  const list = withdrawal?.isAnswer ? shortened(dispatcher, event, session, position) : undefined;
  const planned = [...asked, ...(list?.deliveries ?? [])];
  place(dispatcher, planned);
  record(dispatcher, plan);
  for (const { file, delivery } of planned) {
    if (delivery.hold === undefined || delivery.event.id !== event.id) continue;
    dispatcher.fleet()?.reserve({ file, event, asks: delivery.kind === "question" });
  }
  if (withdrawal !== undefined) endQuestions(dispatcher, position, event, session);
  return {
    sessions: [session.session, ...(parent === undefined ? [] : [parent.session])],
    deliveries: [...planned, ...notifyBrokenProjectFile(dispatcher, plan.projectFile)],
    outdated: outdatedBy(plan, list?.empty ?? []),
  };
}

function outdatedBy({ event, planned, withdrawal }: PayloadPlan, emptyLists: readonly string[]): Outdated[] {
  if (withdrawal === undefined) return [];
  // A channel that shows something newer of the session at once has replaced the older.
  const newer = planned.filter(({ delivery }) => delivery.hold === undefined).map(({ delivery }) => delivery.channel);
  const own = { event, withdrawal, isMeant: (channel: string) => !newer.includes(channel) };
  const isEmpty = (channel: string): boolean => emptyLists.includes(channel);
  const list = { event: { ...event, ...ofAllSessions }, withdrawal, isMeant: isEmpty };
  return emptyLists.length > 0 ? [own, list] : [own];
}

/** Place all or none: one left behind would be sent now, and again when the payload is taken in again. */
function place({ layout }: Dispatcher, planned: readonly DeliveryFile[]): void {
  try {
    for (const { file, delivery } of planned) placeDelivery(layout, file, delivery);
  } catch (error) {
    removePlaced(layout, planned);
    throw error;
  }
}

/** What is recorded of an event, whether a payload or a command made it. */
export type Recorded = Pick<PayloadPlan, "event" | "selection" | "session"> &
  Partial<Pick<PayloadPlan, "parent" | "silence" | "oddities" | "known" | "beside">> & {
    planned: readonly DeliveryFile[];
  };

/** Records an event, the decision about it, and the session's new state. */
export function record({ layout, tools }: Pick<Dispatcher, "layout" | "tools">, plan: Recorded): void {
  const now = tools.clock.now();
  if (plan.silence?.by !== "frequency") writeJournal(layout, now, ...entriesOf(plan));
  const { event, selection, parent } = plan;
  const session = maskSession(plan.session);
  if (isVerification(event.session)) return;
  noteSession(layout, session);
  for (const { verdict, rule, channel } of selection.chosen) {
    if (verdict.verdict === "send") takeTokens({ layout, tools }, event, rule, channel);
  }
  try {
    writeSession(layout, session);
    if (parent !== undefined) writeSession(layout, parent);
  } catch (error) {
    // The message matters more than its record.
    if (!isStorageTrouble(error)) throw error;
  }
  for (const each of plan.beside ?? []) record({ layout, tools }, { ...each, planned: plan.planned });
}

function entriesOf(plan: Recorded): Omit<JournalEntry, "at">[] {
  const { planned, silence, oddities, known } = plan;
  // The record is shown to others.
  const { event } = maskEvent(plan.event);
  const duplicateOf = silence?.by === "duplicate" ? silence.of : undefined;
  const entry = {
    kind: "event" as const,
    event: isToolCall(event.name) ? withoutWords(event) : event,
    ignored: silence?.why,
    duplicateOf,
    ...noteOf(oddities),
    known,
  };
  // Tool calls come in hundreds, so those that notify no one are only counted.
  const isOnlyCounted = isToolCall(event.name) && planned.length === 0 && silence === undefined;
  return isOnlyCounted ? [entry] : [entry, decisionOf(plan)];
}

/** A tool call's reason is what the tool wrote; its request is what ran. */
function withoutWords({ message: _, title: __, reason: ___, request: ____, ...event }: AgentEvent): AgentEvent {
  return event;
}

function decisionOf({ event, planned, selection, silence }: Recorded): Omit<JournalEntry, "at"> {
  return {
    kind: "decision",
    event: event.id,
    rules: selection.rules,
    deliveries: planned
      .filter(({ delivery }) => delivery.event.id === event.id)
      .map(({ delivery: { id, channel, rule, hold, joins, notBefore } }) => ({
        id,
        channel,
        rule,
        ...(hold === undefined && joins && { silent: severalWhy }),
        ...(hold && { by: hold.by, held: hold.why, until: new Date(notBefore).toISOString() }),
        ...noteOfScrubbed(selection, channel),
      })),
    silent: selection.silent,
    why: silence?.why,
    duplicateOf: silence?.by === "duplicate" ? silence.of : undefined,
    wouldReach: silence?.by === "verification" ? silence.wouldReach : undefined,
  };
}

function noteOf({ calledAs, drift = [], isShortened }: Partial<PayloadPlan["oddities"]> = {}): Record<string, unknown> {
  return { calledAs, drift: drift.length === 0 ? undefined : drift, isShortened };
}

function noteOfScrubbed({ chosen }: Selection, name: string): { scrubbed?: readonly string[] } {
  const { scrubbed = [] } = chosen.find(({ channel }) => channel.name === name) ?? {};
  return scrubbed.length === 0 ? {} : { scrubbed };
}
