// Decides what becomes of a payload: what happened, whether it was told already, and which channels hear of it.
import { withdrawalOf, type Withdrawal } from "../../attention/answered.ts";
import { detectDuplicate, withChannels } from "../../attention/duplicates.ts";
import { parentAfter, sessionAfter } from "../../attention/session.ts";
import { stuckEventName } from "../../attention/stuck.ts";
import { isNamedSession, textOf } from "../../agents/dialect/values.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import type { Presence } from "../../attention/presence.ts";
import type { AgentTerminal } from "../../model/agent-terminal.ts";
import type { Delivery } from "../../model/delivery.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { isVerification, verificationWhy } from "../../model/own-events.ts";
import { isFrequent, isToolCall, levelOfEvent, type AgentEvent } from "../../model/event.ts";
import { deliveryFileName, type DeliveryFile } from "../../outbox/deliveries.ts";
import { listSessions, readSession, type SessionRecord } from "../../outbox/sessions.ts";
import { isEventAwaited } from "../../rules/apply/awaited-events.ts";
import { factsOf, matchRule } from "../../rules/apply/match.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Rule, Rules } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { eventOf } from "../understand/event.ts";
import { namesOf, placeAfter, withProject } from "../understand/place.ts";
import { whyHelperIsSilent, withSession } from "../understand/session.ts";
import { createHoldBack, type Moment } from "./hold-back.ts";
import { planEvent } from "./plan-event.ts";
import { rollUp } from "./roll-up.ts";

type ValidReading = PayloadReading & { status: "valid" };

/** Nothing of it is on the disk yet. */
export interface PayloadPlan {
  event: AgentEvent;
  planned: DeliveryFile[];
  selection: Selection;
  /** After this event. */
  session: SessionRecord;
  /** The session that started this one, where its record changes. */
  parent?: SessionRecord | undefined;
  /** Why no channel ever hears of it. */
  ignored?: string | undefined;
  duplicateOf?: string | undefined;
  /** If this were not a verification. */
  wouldReach?: { channel: string; rule: string }[];
  withdrawal?: Withdrawal | undefined;
  /** The journal keeps nothing of it. */
  isUnrecorded?: true;
  oddities?: Pick<ValidReading, "calledAs" | "drift" | "isShortened">;
}

export interface PayloadOrigin {
  eventId: string;
  receivedAt: number;
  position: string;
  wiredBy?: string | undefined;
  terminal?: AgentTerminal | undefined;
  presence?: Presence | undefined;
  /** Instead of what the session's record says. */
  turnStartedAt?: number | undefined;
}

/** Writes nothing, so that `explain` shows what the dispatcher does. */
export function planPayload(dispatcher: Dispatcher, reading: ValidReading, origin: PayloadOrigin): PayloadPlan {
  const { layout, tools, host } = dispatcher;
  const { rules } = dispatcher.rules();
  const { calledAs, drift, isShortened } = reading;
  const before = readSession(layout, reading.agentId, reading.facts.session);
  const surroundings = { id: origin.eventId, receivedAt: origin.receivedAt, host, home: tools.home };
  const turnStartedAt = origin.turnStartedAt ?? before.turnStartedAt;
  // The generic dialect may call anything a session.
  const isOneSession = reading.agent.id !== "generic" && isNamedSession(reading.facts.session);
  const bare = eventOf(reading, surroundings);
  const placed = withProject(
    bare,
    isOneSession && bare.name !== "SessionStart" ? before.folder : undefined,
    tools.home,
  );
  const known = {
    terminal: origin.terminal ?? before.terminal,
    transcript: textOf(reading.payload.transcript_path) ?? before.transcript,
    ...(isOneSession ? placeAfter(before, placed, reading.usual, rules.promptInTitle !== false) : {}),
  };
  const { project } = placed;
  const here = { ...before, ...known, project, lastSeenAt: origin.receivedAt };
  const isTold = isOneSession && isEventAwaited(rules.rules, reading.agentId, placed.name);
  const names = isTold ? namesOf(here, listSessions(layout)) : {};
  const event = withSession({ ...placed, ...names }, { ...before, turnStartedAt });
  const after = { ...sessionAfter(before, event), ...known };
  const { helperOf } = after;
  const seen = { ...before, ...known, lastSeenAt: after.lastSeenAt, helperOf };
  const parent = helperOf === undefined ? undefined : readSession(layout, reading.agentId, helperOf);
  const plan = { event, oddities: { calledAs, drift, isShortened }, parent: parent && parentAfter(parent, event) };
  const withdrawal = withdrawalOf(before, event);
  const ignored = reading.ignored ?? whyHelperIsSilent(event, before);
  if (ignored !== undefined) {
    const selection = selectNone(rules, ignored);
    // It still ends turns and answers questions.
    const isHeeded = reading.ignored === undefined || event.isAnswer === true;
    return isHeeded
      ? { ...plan, planned: [], selection, session: after, ignored, withdrawal }
      : { ...plan, planned: [], selection, session: seen, ignored };
  }

  const now = tools.clock.now();
  const holdBack = createHoldBack(dispatcher, event, { session: after, presence: origin.presence });
  const { deliveries, selection } = planEvent(event, reading.payload, rules, now, holdBack);
  if (isVerification(event.session)) {
    const wouldReach = selection.chosen.map(({ channel, rule }) => ({ channel: channel.name, rule: rule.name }));
    const silenced = silence(selection, verificationWhy);
    return { ...plan, planned: [], selection: silenced, session: before, ignored: verificationWhy, wouldReach };
  }
  if (isFrequent(event.name) && !isToolCall(event.name) && selection.chosen.length === 0) {
    return { ...plan, planned: [], selection, session: after, isUnrecorded: true, withdrawal };
  }
  const arrival = arrivalOf(event, reading, selection, origin);
  const { duplicate, heard, recent } = detectDuplicate(before.recent ?? [], arrival);
  if (duplicate !== undefined) {
    const session = { ...seen, recent };
    const { of: duplicateOf, why } = duplicate;
    return { ...plan, planned: [], selection: silence(selection, why), session, ignored: why, duplicateOf };
  }

  const isHeard = ({ channel, escalatesAfterMs }: Delivery): boolean =>
    heard !== undefined && (escalatesAfterMs !== undefined || heard.channels.includes(channel));
  const watches = planWatch(dispatcher, event, { session: after });
  const planned = [...deliveries.filter((delivery) => !isHeard(delivery)), ...watches].map((delivery, order) => ({
    file: deliveryFileName(origin.position, order, delivery.id),
    delivery,
  }));
  const session = { ...after, recent: withChannels(recent, event.id, heardBy(selection)) };
  const rest = heard === undefined ? selection : silence(selection, heard.why, heard.channels);
  return { ...plan, planned: rollUp(dispatcher, planned, event, session), selection: rest, session, withdrawal };
}

/** Also channels that stay silent because the person is there. */
function heardBy({ chosen, silent }: Selection): string[] {
  const present = silent.flatMap(({ channel, by }) => (by === "presence" && channel !== undefined ? [channel] : []));
  return [...chosen.map(({ channel }) => channel.name), ...present];
}

/** What is told if a turn is stuck waits from its beginning on. */
function planWatch(dispatcher: Dispatcher, event: AgentEvent, moment: Moment): Delivery[] {
  const { rules } = dispatcher.rules();
  const { stuckAfterMs } = rules;
  const isNewTurn = event.name === "UserPromptSubmit" && moment.session.turnStartedAt === Date.parse(event.at);
  if (stuckAfterMs === undefined || !isNewTurn) return [];
  const { id, name: _, agentEvent: __, message: ___, ...rest } = event;
  const message = `No sign of work for ${formatDuration(stuckAfterMs)}.`;
  const stuck = { ...rest, id: `${id}-stuck`, name: stuckEventName, level: levelOfEvent(stuckEventName), message };
  const holdBack = createHoldBack(dispatcher, stuck, moment);
  return planEvent(stuck, undefined, rules, dispatcher.tools.clock.now(), holdBack).deliveries;
}

/** Keys with which agents tell one event or one turn from another. */
const idKeys = /^(?:(?:prompt|turn|message|generation|execution|tool_?use)_?id|timestamp)$/i;

function arrivalOf(
  event: AgentEvent,
  { calledAs, agentId, agentEvent, agent, payload }: ValidReading,
  { chosen }: Selection,
  { wiredBy }: PayloadOrigin,
): Parameters<typeof detectDuplicate>[1] {
  const by = wiredBy === undefined ? "" : ` by ${wiredBy}`;
  return {
    event,
    way: `${calledAs ?? agentId}${by}:${agentEvent ?? event.name}`,
    channels: chosen.map(({ channel }) => channel.name),
    isToldAsError: chosen.every(({ rule }) => !holdsWithoutError(rule, event)),
    isOneSession: agent.id !== "generic" && isNamedSession(event.session),
    payloadKey: Object.keys(payload).some((key) => idKeys.test(key)) ? JSON.stringify(payload) : undefined,
  };
}

function holdsWithoutError(rule: Rule, { reason: _reason, ...event }: AgentEvent): boolean {
  return matchRule(rule, factsOf({ ...event, level: levelOfEvent(event.name) })).held;
}

function silence({ rules, chosen, silent }: Selection, why: string, channels?: readonly string[]): Selection {
  const isSilenced = ({ channel }: (typeof chosen)[number]): boolean => channels?.includes(channel.name) !== false;
  return {
    rules,
    chosen: chosen.filter((each) => !isSilenced(each)),
    steps: [],
    silent: [...chosen.filter(isSilenced).map(({ channel }) => ({ channel: channel.name, why })), ...silent],
  };
}

function selectNone({ channels, rules }: Rules, why: string): Selection {
  return {
    rules: rules.map(({ name }) => ({ name, held: false, why: `not read: ${why}` })),
    chosen: [],
    steps: [],
    silent: Object.keys(channels).map((channel) => ({ channel, why })),
  };
}
