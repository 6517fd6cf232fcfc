// Plans the messages about a usage limit that an agent's session has reached: one now, and one that waits for its reset.
import {
  type AboutLimit,
  type AccountLimit,
  isSameLimit,
  type LimitedSessions,
  limitReachedEventName,
  limitResetEventName,
  limitResetMessage,
  nextResetOf,
  waitsForReset,
} from "../../policies/limit.ts";
import type { Presence } from "../../policies/presence.ts";
import type { Delivery, DeliveryOf } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { levelOfEvent } from "../../model/level.ts";
import { formatTime } from "../../model/figures/wall-clock.ts";
import { usageLimitSession } from "../../model/own-events.ts";
import { createWords, maskEvent } from "../../model/privacy/scrub-event.ts";
import { createProcessCheck, processOf } from "../../outbox/current-sessions.ts";
import { hiddenPath, listSessions, type SessionRecord } from "../../outbox/sessions.ts";
import { readLimit } from "../../outbox/shared/limits.ts";
import { messageFor } from "../../rules/apply/channel-message.ts";
import { selectDeliveries, type Selection } from "../../rules/apply/select.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Rule } from "../../rules/rules.ts";
import { isLive } from "../../sessions/describe.ts";
import { blankSession } from "../../sessions/session-schema.ts";
import { namesOf, placeOf } from "../../sessions/names.ts";
import { tryToStat } from "../../system/files/files.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { createDecideChannel } from "./decide.ts";

/** What is told of a limit: that it is reached, or that it has reset. */
export interface LimitEvent {
  /** Without credentials: what is kept and shown. */
  event: AgentEvent;
  /** As it is told; rules match this. */
  original: AgentEvent;
  kind: "limitReached" | "limitReset";
  selection: Selection;
  told: AccountLimit;
}

export interface LimitPlan {
  /** The channels that are told of the limit need not be told of the turn's failure. */
  alreadyNotified: { channels: readonly string[]; why: string };
  /** Empty if another session has told of the limit. */
  events: LimitEvent[];
}

/** Undefined where the event ends no turn at a limit. */
export function planLimit(
  dispatcher: Dispatcher,
  {
    original: event,
    after: { state },
    presence,
  }: { original: AgentEvent; after: SessionRecord; presence: Presence | undefined },
): LimitPlan | undefined {
  if (event.name !== "StopFailure" || state.kind !== "waitsForLimit") return undefined;
  const { told } = readLimit(dispatcher.layout, event.agent);
  const id = `${event.id}_limit`;
  // The payload is taken in again after a crash.
  if (told !== undefined && told.event !== id && isSameLimit(told, state)) {
    return { alreadyNotified: { channels: told.channels, why: whyAlreadyNotified(told.event) }, events: [] };
  }
  const { until } = state;
  const shared = {
    agent: event.agent,
    session: usageLimitSession,
    cwd: dispatcher.layout.root,
    project: "",
    host: event.host,
    isOnlyAgent: event.isOnlyAgent,
    isOnlyHost: event.isOnlyHost,
  };
  const untilWhen = until === undefined ? "" : ` until ${formatTime(until, state.since, undefined)}`;
  const reached: AgentEvent = {
    ...shared,
    id,
    name: limitReachedEventName,
    at: event.at,
    level: levelOfEvent(limitReachedEventName),
    headline: `is at its limit${untilWhen}`,
    message: [placeOf(event), event.message].filter(Boolean).join(": "),
    reason: event.reason,
  };
  const selection = selectFor(dispatcher, reached, { is: "reached", told }, presence);
  const channels = selection.chosen.flatMap(({ channel: { name, channelType } }) =>
    channelType.isForPrograms === true ? [] : [name],
  );
  const seen = selection.silent.flatMap(({ channel, by }) =>
    by === "presence" && channel !== undefined ? [channel] : [],
  );
  const limit = { since: state.since, until, event: id, channels: [...channels, ...seen] };
  const reset: AgentEvent[] =
    until === undefined
      ? []
      : [
          {
            ...shared,
            id: `${event.id}_reset`,
            name: limitResetEventName,
            at: new Date(until).toISOString(),
            level: levelOfEvent(limitResetEventName),
          },
        ];
  return {
    alreadyNotified: { channels: limit.channels, why: whyAlreadyNotified(id) },
    events: [
      { event: maskEvent(reached).event, original: reached, kind: "limitReached", selection, told: limit },
      ...reset.map((each) => ({
        event: maskEvent(each).event,
        original: each,
        kind: "limitReset" as const,
        selection: selectFor(dispatcher, each, { is: "reset" }, undefined),
        told: limit,
      })),
    ],
  };
}

function whyAlreadyNotified(id: string): string {
  return `notified once for all sessions at this limit: ${id}`;
}

/** Nothing that a person does lifts a limit, so nothing escalates. */
function selectFor(
  dispatcher: Dispatcher,
  event: AgentEvent,
  limit: AboutLimit,
  presence: Presence | undefined,
): Selection {
  const session = { ...blankSession, agent: event.agent, session: event.session, remembered: {} };
  const decideChannel = createDecideChannel(dispatcher, event, { session, presence, limit });
  return { ...selectDeliveries(dispatcher.rules().rules, event, decideChannel), steps: [] };
}

/** The agent's sessions that can go on once its limit has reset, and whether that is true. */
export function limitedSessions({ layout, tools }: Dispatcher, { event, createdAt }: Delivery): LimitedSessions {
  const now = tools.clock.now();
  const resetAt = Date.parse(event.at);
  const all = listSessions(layout, now);
  const isGone = createProcessCheck(layout);
  const atLimit = all.flatMap((session) => {
    const { agent, state, helperOf } = session;
    const isMeant = agent === event.agent && session.lastSeenAt > 0 && helperOf === undefined;
    return isMeant && state.kind === "waitsForLimit" ? [{ session, state }] : [];
  });
  const waiting = atLimit.filter(({ session, state }) => {
    if (!waitsForReset(state, resetAt) || isGone(session, now) !== undefined) return false;
    // Only a process that runs tells that a session is still there after days.
    return (processOf(session) !== undefined || isLive(session, now)) && !hasGoneOn(session, resetAt);
  });
  const resets = atLimit.flatMap(({ state }) => nextResetOf(state, createdAt, resetAt) ?? []);
  return {
    waiting: waiting.map(({ session }) => ({ project: session.project ?? "", names: namesOf(session, all, now) })),
    nextReset: resets.length === 0 ? undefined : Math.max(...resets),
  };
}

/** No hook may tell that it goes on by itself, but its transcript does. */
function hasGoneOn({ transcript }: SessionRecord, resetAt: number): boolean {
  const path = hiddenPath(transcript);
  return path !== undefined && (tryToStat(path)?.mtimeMs ?? 0) > resetAt;
}

/** The message as it is sent names the sessions that can go on now. */
export function asReset(
  dispatcher: Dispatcher,
  delivery: DeliveryOf<"limitReset">,
  rule: Rule | undefined,
  limited: LimitedSessions,
): DeliveryOf<"limitReset"> {
  const { rules } = dispatcher.rules();
  const event = { ...delivery.event, title: undefined, message: limitResetMessage(limited) };
  const words = createWords(event, undefined);
  const reworded = <Told extends Pick<Delivery, "channel" | "event" | "message">>(told: Told): Told => {
    const channel = findChannel(rules, told.channel);
    if (rule === undefined || channel === undefined) return told;
    const { event: said, message } = messageFor(rule, channel, words);
    return { ...told, event: said, message };
  };
  return { ...reworded(delivery), fallback: delivery.fallback.map(reworded) };
}
