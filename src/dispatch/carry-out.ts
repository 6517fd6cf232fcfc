// Carries out what an event was planned to become, whether a payload tells of it or an agent's own files.
import type { AgentEvent } from "../model/event.ts";
import { ofAllSessions } from "../model/own-events.ts";
import { lastPart } from "../model/text.ts";
import { placeDelivery, removePlaced, type DeliveryFile } from "../outbox/deliveries.ts";
import { eventIdOf } from "../outbox/incoming.ts";
import { readSession } from "../outbox/sessions.ts";
import { turnOf } from "../sessions/state.ts";
import { uniqueName } from "../system/files/files.ts";
import { endQuestions } from "./answers/ask.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Observed } from "./observe/observer.ts";
import { notifyBrokenProjectFile } from "./notices.ts";
import { planMoment, type PayloadPlan } from "./plan/plan-payload.ts";
import { record } from "./plan/record.ts";
import { shortened } from "./plan/waiting-list.ts";
import type { Outdated } from "./send/withdraw.ts";
import { momentOfEvent } from "./understand/moment.ts";

export interface TakenIn {
  /** Sessions of which more is known now. */
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
  interrupted: { name: "Interrupted", why: "its transcript says that you stopped the turn", means: "interrupted" },
  reviewOver: { name: "ReviewOver", why: "the agent's own reviewer has not decided in its time" },
  idle: { name: "Idle", why: "the agent notes that it waits for a prompt", means: "interrupted" },
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
    dispatcher.fleet?.reserve({ file, event, asks: delivery.question !== undefined });
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

/** All or none: one left behind would be sent now, and again when the payload is taken in again. */
function place({ layout }: Dispatcher, planned: readonly DeliveryFile[]): void {
  try {
    for (const { file, delivery } of planned) placeDelivery(layout, file, delivery);
  } catch (error) {
    removePlaced(layout, planned);
    throw error;
  }
}
