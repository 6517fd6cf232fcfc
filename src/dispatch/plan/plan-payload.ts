// Plans the deliveries of an event: none for a duplicate, otherwise one for each channel that the rules choose.
import { withdrawalOf, type Withdrawal } from "../../attention/answered.ts";
import { detectDuplicate, withChannels } from "../../attention/duplicates.ts";
import { stuckEventName } from "../../attention/stuck.ts";
import type { Delivery } from "../../model/delivery.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { isVerification, verificationWhy } from "../../model/own-events.ts";
import { isFrequent, isToolCall, levelOfEvent, type AgentEvent } from "../../model/event.ts";
import { deliveryFileName, type DeliveryFile } from "../../outbox/deliveries.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { factsOf, matchRule } from "../../rules/apply/match.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { ProjectFileReading } from "../../rules/project-file.ts";
import type { Rule, Rules } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { goodFile } from "../understand/project-file.ts";
import { whyHelperIsSilent } from "../understand/session.ts";
import type { Understood, ValidReading } from "../understand/understand.ts";
import { createHoldBack, type Moment } from "./hold-back.ts";
import { planEvent } from "./plan-event.ts";
import { rollUp } from "./roll-up.ts";

export interface PayloadPlan {
  event: AgentEvent;
  planned: DeliveryFile[];
  selection: Selection;
  /** The session after this event. */
  session: SessionRecord;
  /** The session that started this one, if its record changes. */
  parent?: SessionRecord | undefined;
  /** Why no channel is notified. */
  ignored?: string | undefined;
  duplicateOf?: string | undefined;
  /** Of a verification. */
  wouldReach?: { channel: string; rule: string }[];
  withdrawal?: Withdrawal | undefined;
  /** Not written to the journal. */
  isUnrecorded?: true;
  projectFile?: ProjectFileReading | undefined;
  oddities?: Pick<ValidReading, "calledAs" | "drift" | "isShortened">;
}

/** Writes nothing, so that `explain` shows what the dispatcher does. */
export function planPayload(dispatcher: Dispatcher, understood: Understood): PayloadPlan {
  const { reading, origin, event, projectFile, before, after, seen, parent } = understood;
  const { tools } = dispatcher;
  const { rules } = dispatcher.rules();
  const { calledAs, drift, isShortened } = reading;
  const project = goodFile(projectFile);
  const plan = { event, projectFile, oddities: { calledAs, drift, isShortened }, parent };
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
  const holdBack = createHoldBack(dispatcher, event, { session: after, presence: origin.presence, project });
  const { deliveries, selection } = planEvent(event, reading.payload, rules, now, holdBack, project);
  if (isVerification(event.session)) {
    const wouldReach = selection.chosen.map(({ channel, rule }) => ({ channel: channel.name, rule: rule.name }));
    const silenced = silence(selection, verificationWhy);
    return { ...plan, planned: [], selection: silenced, session: before, ignored: verificationWhy, wouldReach };
  }
  if (isFrequent(event.name) && !isToolCall(event.name) && selection.chosen.length === 0) {
    return { ...plan, planned: [], selection, session: after, isUnrecorded: true, withdrawal };
  }
  const arrival = arrivalOf(understood, selection);
  const { duplicate, heard, recent } = detectDuplicate(before.recent ?? [], arrival);
  if (duplicate !== undefined) {
    const session = { ...seen, recent };
    const { of: duplicateOf, why } = duplicate;
    return { ...plan, planned: [], selection: silence(selection, why), session, ignored: why, duplicateOf };
  }

  const isHeard = ({ channel, escalatesAfterMs }: Delivery): boolean =>
    heard !== undefined && (escalatesAfterMs !== undefined || heard.channels.includes(channel));
  const watches = planWatch(dispatcher, event, { session: after, project });
  const planned = [...deliveries.filter((delivery) => !isHeard(delivery)), ...watches].map((delivery, order) => ({
    file: deliveryFileName(origin.position, order, delivery.id),
    delivery,
  }));
  const session = { ...after, recent: withChannels(recent, event.id, heardBy(selection)) };
  const rest = heard === undefined ? selection : silence(selection, heard.why, heard.channels);
  return { ...plan, planned: rollUp(dispatcher, planned, event, session), selection: rest, session, withdrawal };
}

/** Also those that are silent because the person is there. */
function heardBy({ chosen, silent }: Selection): string[] {
  const present = silent.flatMap(({ channel, by }) => (by === "presence" && channel !== undefined ? [channel] : []));
  return [...chosen.map(({ channel }) => channel.name), ...present];
}

/** The message for a stuck turn waits from the turn's beginning on. */
function planWatch(dispatcher: Dispatcher, event: AgentEvent, moment: Moment): Delivery[] {
  const { rules } = dispatcher.rules();
  const { stuckAfterMs } = rules;
  const isNewTurn = event.name === "UserPromptSubmit" && moment.session.turnStartedAt === Date.parse(event.at);
  if (stuckAfterMs === undefined || !isNewTurn) return [];
  const { id, name: _, agentEvent: __, message: ___, ...rest } = event;
  const message = `No sign of work for ${formatDuration(stuckAfterMs)}.`;
  const stuck = { ...rest, id: `${id}-stuck`, name: stuckEventName, level: levelOfEvent(stuckEventName), message };
  const holdBack = createHoldBack(dispatcher, stuck, moment);
  return planEvent(stuck, undefined, rules, dispatcher.tools.clock.now(), holdBack, moment.project).deliveries;
}

/** They differ between events. */
const idKeys = /^(?:(?:prompt|turn|message|generation|execution|tool_?use)_?id|timestamp)$/i;

function arrivalOf(
  { event, isOneSession, reading, origin }: Understood,
  { chosen }: Selection,
): Parameters<typeof detectDuplicate>[1] {
  const { calledAs, agentId, agentEvent, payload } = reading;
  const by = origin.wiredBy === undefined ? "" : ` by ${origin.wiredBy}`;
  return {
    event,
    way: `${calledAs ?? agentId}${by}:${agentEvent ?? event.name}`,
    channels: chosen.map(({ channel }) => channel.name),
    isToldAsError: chosen.every(({ rule }) => !holdsWithoutError(rule, event)),
    isOneSession,
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
