// Decides what becomes of a payload: what happened, whether it was told already, which channels hear of it.
import { isNamedSession } from "../../agents/dialect/values.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import { isVerification, verificationWhy } from "../../model/own-events.ts";
import { levelOfEvent, type AgentEvent } from "../../model/event.ts";
import { deliveryFileName, type DeliveryFile } from "../../outbox/deliveries.ts";
import { readSession, type SessionRecord } from "../../outbox/sessions.ts";
import { factsOf, matchRule } from "../../rules/apply/match.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Rule, Rules } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { findAgentTerminal } from "../understand/agent-terminal.ts";
import { detectDuplicate } from "../understand/duplicates.ts";
import { eventOf } from "../understand/event.ts";
import { parentAfter, sessionAfter, whyHelperIsSilent, withSession } from "../understand/session.ts";
import { planEvent } from "./plan-event.ts";

type ValidReading = PayloadReading & { status: "valid" };

/** Nothing of it is on the disk yet. */
export interface PayloadPlan {
  event: AgentEvent;
  planned: DeliveryFile[];
  selection: Selection;
  /** After this event. */
  session: SessionRecord;
  /** The record of the session that started this one as a helper, where it changes. */
  parent?: SessionRecord | undefined;
  /** Why no channel ever hears of it. */
  ignored?: string | undefined;
  duplicateOf?: string | undefined;
  /** If this were not a verification. */
  wouldReach?: { channel: string; rule: string }[];
  /** The journal keeps nothing of it. */
  isUnrecorded?: true;
  oddities?: Pick<ValidReading, "calledAs" | "drift" | "isShortened">;
}

/** Without `callerPids` it is only explained. */
export interface PayloadOrigin {
  eventId: string;
  receivedAt: number;
  position: string;
  callerPids?: readonly number[];
  wiredBy?: string | undefined;
}

/** Writes nothing, so that `explain` shows what the dispatcher does. */
export function planPayload(dispatcher: Dispatcher, reading: ValidReading, origin: PayloadOrigin): PayloadPlan {
  const { layout, tools, host } = dispatcher;
  const { rules } = dispatcher.rules();
  const { calledAs, drift, isShortened } = reading;
  const before = readSession(layout, reading.agentId, reading.facts.session);
  const surroundings = { id: origin.eventId, receivedAt: origin.receivedAt, host, home: tools.home };
  const event = withSession(eventOf(reading, surroundings), before);
  const after = sessionAfter(before, event);
  const { helperOf } = after;
  const parent = helperOf === undefined ? undefined : readSession(layout, reading.agentId, helperOf);
  const plan = {
    event,
    oddities: { calledAs, drift, isShortened },
    parent: parent && parentAfter(parent, after, event),
  };
  const seen = { ...before, lastSeenAt: after.lastSeenAt, helperOf };
  const ignored = reading.ignored ?? whyHelperIsSilent(event, before);
  if (ignored !== undefined) {
    return { ...plan, planned: [], selection: selectNone(rules, ignored), session: seen, ignored };
  }

  const { deliveries, selection } = planEvent(event, reading.payload, rules, tools.clock.now());
  if (isVerification(event.session)) {
    const wouldReach = selection.chosen.map(({ channel, rule }) => ({ channel: channel.name, rule: rule.name }));
    const silenced = silence(selection, verificationWhy);
    return { ...plan, planned: [], selection: silenced, session: before, ignored: verificationWhy, wouldReach };
  }
  if (isFrequent(event) && selection.chosen.length === 0) {
    return { ...plan, planned: [], selection, session: after, isUnrecorded: true };
  }
  const arrival = arrivalOf(event, reading, selection, origin);
  const { duplicate, heard, recent } = detectDuplicate(before.recent ?? [], arrival);
  const terminal = findAgentTerminal(dispatcher, origin) ?? before.terminal;
  if (duplicate !== undefined) {
    const session = { ...seen, terminal, recent };
    const { of: duplicateOf, why } = duplicate;
    return { ...plan, planned: [], selection: silence(selection, why), session, ignored: why, duplicateOf };
  }

  const planned = deliveries
    .map((delivery, order) => ({ file: deliveryFileName(origin.position, order, delivery.id), delivery }))
    .filter(({ delivery }) => heard?.channels.includes(delivery.channel) !== true);
  const rest = heard === undefined ? selection : silence(selection, heard.why, heard.channels);
  return { ...plan, planned, selection: rest, session: { ...after, terminal, recent } };
}

/** Keys with which agents tell one event or one turn from another. */
const idKeys = /^(?:(?:prompt|turn|message|generation|execution|tool_?use)_?id|timestamp)$/i;

/** They come with each tool call or each part of an answer, and go on record only if a channel hears of them. */
function isFrequent({ name }: AgentEvent): boolean {
  return /^(?:PreToolUse|BeforeTool|(?:Before|After)Model|MessageDisplay)$/.test(name);
}

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
    // The generic dialect may call anything a session.
    isOneSession: agent.id !== "generic" && isNamedSession(event.session),
    payloadKey: Object.keys(payload).some((key) => idKeys.test(key)) ? JSON.stringify(payload) : undefined,
  };
}

/** Whether the rule would hear of it if nothing had broken. */
function holdsWithoutError(rule: Rule, { reason: _reason, ...event }: AgentEvent): boolean {
  return matchRule(rule, factsOf({ ...event, level: levelOfEvent(event.name) })).held;
}

/** The rules were read, and yet no channel hears of it, or not these. */
function silence({ rules, chosen, silent }: Selection, why: string, channels?: readonly string[]): Selection {
  const isSilenced = ({ channel }: (typeof chosen)[number]): boolean => channels?.includes(channel.name) !== false;
  return {
    rules,
    chosen: chosen.filter((each) => !isSilenced(each)),
    silent: [...chosen.filter(isSilenced).map(({ channel }) => ({ channel: channel.name, why })), ...silent],
  };
}

function selectNone({ channels, rules }: Rules, why: string): Selection {
  return {
    rules: rules.map(({ name }) => ({ name, held: false, why: `not read: ${why}` })),
    chosen: [],
    silent: Object.keys(channels).map((channel) => ({ channel, why })),
  };
}
