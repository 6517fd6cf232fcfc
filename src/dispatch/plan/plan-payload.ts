// Plans what a payload becomes: for take-in, `hook --wait`, `hook --reply` and `explain` alike.
import { withdrawalOf, type Withdrawal } from "../../attention/answered.ts";
import { detectDuplicate, withChannels } from "../../attention/duplicates.ts";
import { stuckEventName, stuckIdOf } from "../../attention/stuck.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { isVerification, verificationWhy } from "../../model/own-events.ts";
import { isFrequent, isToolCall, type AgentEvent } from "../../model/event.ts";
import { levelOfEvent } from "../../model/level.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { factsOf, doesRuleMatch } from "../../rules/apply/match.ts";
import type { Selection } from "../../rules/apply/select.ts";
import { goodFile } from "../../rules/project-file.ts";
import type { Rule, Rules } from "../../rules/rules.ts";
import { turnOf } from "../../sessions/state.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { type Moment, type PayloadOrigin, readMoment, type Told, type ValidReading } from "../understand/moment.ts";
import { whyHelperIsSilent } from "../understand/session.ts";
import { createHoldBack, type Circumstances } from "./hold-back.ts";
import { planLimit, type LimitPlan } from "./limit.ts";
import { placesFor, planEvent, type EventPlan, type Planned, type PlannedDelivery } from "./plan-event.ts";

export interface PayloadPlan extends Pick<Moment, "event" | "question" | "parent" | "projectFile" | "known"> {
  /** Empty if `silence` says why no one is told. */
  planned: Planned[];
  selection: Selection;
  /** The session after this event. */
  session: SessionRecord;
  oddities: Pick<Told, "calledAs" | "drift" | "isShortened">;
  withdrawal: Withdrawal | undefined;
  silence: Silence | undefined;
  /** What hookbell itself tells beside it, about the agent's limit. Their deliveries are among `planned`. */
  beside?: LimitPlan["events"];
}

/** Why no one is told of an event that rules may want. */
export type Silence =
  | { by: "agent" | "helper"; why: string }
  | { by: "verification"; why: string; wouldReach: { channel: string; rule: string }[] }
  | { by: "duplicate"; why: string; of: string }
  /** No rule names it, and it comes in hundreds: the journal has none of it. */
  | { by: "frequency"; why?: undefined };

/** Writes nothing, so that `explain` shows what the dispatcher does. */
export async function planPayload(
  dispatcher: Dispatcher,
  reading: ValidReading,
  origin: PayloadOrigin,
): Promise<PayloadPlan> {
  return planMoment(dispatcher, await readMoment(dispatcher, reading, origin));
}

export function planMoment(dispatcher: Dispatcher, moment: Moment): PayloadPlan {
  const { reading, position, event, original, question, parent, projectFile, known, before, after, seen } = moment;
  const { rules } = dispatcher.rules();
  const project = goodFile(projectFile);
  const isAsked = rules.answers !== undefined && known.isAsked === true;
  const circumstances = { session: after, presence: known.presence, project, isAsked };
  const ignored = ignoredBy(moment);
  const { deliveries, selection } =
    ignored === undefined
      ? planEvent(
          original,
          reading.payload,
          rules,
          dispatcher.tools.clock.now(),
          createHoldBack(dispatcher, event, circumstances),
          project,
        )
      : selectNone(rules, ignored.why);
  const { calledAs, drift, isShortened } = reading;
  const plan = { event, question, projectFile, oddities: { calledAs, drift, isShortened }, known, parent };
  const silent = (silence: Silence, session: SessionRecord, isHeeded: boolean): PayloadPlan => ({
    ...plan,
    planned: [],
    selection: silence.why === undefined || silence === ignored ? selection : silenced(selection, silence.why),
    session,
    withdrawal: isHeeded ? withdrawalOf(before, after, event) : undefined,
    silence,
  });

  if (ignored !== undefined) {
    // What its agent says not to report may still end a turn or answer a question.
    const isHeeded =
      ignored.by === "helper" || event.isAnswer === true || event.means !== undefined || known.observed !== undefined;
    return silent(ignored, isHeeded ? after : seen, isHeeded);
  }
  if (isVerification(event.session)) {
    const wouldReach = selection.chosen.map(({ channel, rule }) => ({ channel: channel.name, rule: rule.name }));
    return silent({ by: "verification", why: verificationWhy, wouldReach }, before, false);
  }
  if (isFrequent(event.name) && !isToolCall(event.name) && selection.chosen.length === 0) {
    return silent({ by: "frequency" }, after, true);
  }
  const { duplicate, heard, recent } = detectDuplicate(before.recent ?? [], arrivalOf(dispatcher, moment, selection));
  if (duplicate !== undefined) return silent({ by: "duplicate", ...duplicate }, { ...seen, recent }, false);

  const limit = planLimit(dispatcher, moment);
  const told = [heard, limit?.heard].flatMap((each) =>
    each === undefined || each.channels.length === 0 ? [] : [each],
  );
  const isNews = ({ delivery }: PlannedDelivery): boolean =>
    told.every((each) => delivery.escalatesAfterMs === undefined && !each.channels.includes(delivery.channel));
  const beside = limit?.events ?? [];
  const news = [
    ...deliveries.filter(isNews),
    ...beside.flatMap((each) => each.deliveries),
    ...planWatch(dispatcher, original, circumstances),
  ];
  const heardNow = heardBy(selection);
  const session = {
    ...withTold(after, event, [...heardNow, ...selection.steps.map(({ channel }) => channel.name)]),
    recent: withChannels(recent, event.id, heardNow),
  };
  return {
    ...plan,
    planned: placesFor(position, news),
    selection: told.reduce((all, { why, channels }) => silenced(all, why, channels), selection),
    session,
    withdrawal: withdrawalOf(before, after, event),
    silence: undefined,
    beside,
  };
}

/** Only these channels may list the question. */
function withTold(session: SessionRecord, { id }: AgentEvent, channels: string[]): SessionRecord {
  return { ...session, open: session.open?.map((each) => (each.id === id ? { ...each, channels } : each)) };
}

function ignoredBy({ reading, event, before }: Moment): (Silence & { by: "agent" | "helper" }) | undefined {
  if (reading.ignored !== undefined) return { by: "agent", why: reading.ignored };
  const why = whyHelperIsSilent(event, before);
  return why === undefined ? undefined : { by: "helper", why };
}

/** A channel that is silent because the person is there counts too: the person has seen the message. */
function heardBy({ chosen, silent }: Selection): string[] {
  const present = silent.flatMap(({ channel, by }) => (by === "presence" && channel !== undefined ? [channel] : []));
  return [...chosen.map(({ channel }) => channel.name), ...present];
}

/** The message for a stuck turn waits from the turn's beginning on. */
function planWatch(dispatcher: Dispatcher, event: AgentEvent, circumstances: Circumstances): PlannedDelivery[] {
  const { rules } = dispatcher.rules();
  const { stuckAfterMs } = rules;
  const isNewTurn =
    event.name === "UserPromptSubmit" && turnOf(circumstances.session)?.startedAt === Date.parse(event.at);
  if (stuckAfterMs === undefined || !isNewTurn) return [];
  const { id, name: _, agentEvent: __, message: ___, ...rest } = event;
  const message = `No sign of work for ${formatDuration(stuckAfterMs)}.`;
  const stuck = { ...rest, id: stuckIdOf(id), name: stuckEventName, level: levelOfEvent(stuckEventName), message };
  const holdBack = createHoldBack(dispatcher, stuck, { ...circumstances, presence: undefined });
  const { project } = circumstances;
  return planEvent(stuck, undefined, rules, dispatcher.tools.clock.now(), holdBack, project, "stuck").deliveries;
}

function arrivalOf(
  { rules }: Dispatcher,
  { event, original, reading, known }: Moment,
  { chosen }: Selection,
): Parameters<typeof detectDuplicate>[1] {
  const { channels, idle } = rules().rules;
  const { calledAs, agentId } = reading;
  const by = known.wiredBy === undefined ? "" : ` by ${known.wiredBy}`;
  return {
    event,
    way: `${calledAs ?? agentId}${by}:${event.agentEvent ?? event.name}`,
    channels: chosen.map(({ channel }) => channel.name),
    isToldAsError: chosen.every(({ rule }) => !holdsWithoutError(rule, original)),
    isOneSession: known.isOfManySessions !== true,
    forPeople: new Set(
      Object.values(channels).flatMap(({ name, channelType }) => (channelType.isForPrograms === true ? [] : [name])),
    ),
    isReminded: idle === "remind",
    // Two equal calls of a tool at once are two questions, if a hook waits for each.
    payloadKey: known.isAsked === true ? undefined : known.payload,
  };
}

function holdsWithoutError(rule: Rule, { reason: _reason, ...event }: AgentEvent): boolean {
  return doesRuleMatch(rule, factsOf({ ...event, level: levelOfEvent(event.name) }));
}

function silenced({ rules, chosen, silent }: Selection, why: string, channels?: readonly string[]): Selection {
  const isSilenced = ({ channel }: (typeof chosen)[number]): boolean => channels?.includes(channel.name) !== false;
  return {
    rules,
    chosen: chosen.filter((each) => !isSilenced(each)),
    steps: [],
    silent: [...chosen.filter(isSilenced).map(({ channel }) => ({ channel: channel.name, why })), ...silent],
  };
}

function selectNone({ channels, rules }: Rules, why: string): EventPlan {
  const selection = {
    rules: rules.map(({ name }) => ({ name, held: false, why: `not read: ${why}` })),
    chosen: [],
    steps: [],
    silent: Object.keys(channels).map((channel) => ({ channel, why })),
  };
  return { deliveries: [], selection };
}
