// Decides of a message by the policies, with what they have to know.
import type { Presence } from "../../policies/presence.ts";
import type { AboutLimit } from "../../policies/limit.ts";
import type { SignsOfWork } from "../../policies/stuck.ts";
import { canJoin } from "../../policies/together.ts";
import { bucketsAfter } from "../../policies/throttle.ts";
import type { Candidate, Decision, Defer } from "../../policies/decision.ts";
import { decideByPolicies } from "../../policies/policies.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { readBuckets, readMutes, readRinging, writeBuckets } from "../../outbox/attention.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { DecideChannel } from "../../rules/apply/select.ts";
import { mutesOf, type ProjectFile } from "../../rules/project-file.ts";
import type { Channel, Rule } from "../../rules/rules.ts";
import { joinedAs, noteRung } from "../coalescer/joined-as.ts";
import { hasOthersAtWork } from "../coalescer/waiting-list.ts";
import type { Clocked, Dispatcher } from "../dispatcher.ts";

/** What the policies go by, beside the message and the rules. */
export interface Circumstances {
  session: SessionRecord;
  presence?: Presence | undefined;
  signsOfWork?: SignsOfWork | undefined;
  limit?: AboutLimit | undefined;
  project?: ProjectFile | undefined;
  /** A hook waits for the answer, so a channel may show buttons. */
  isAsked?: boolean | undefined;
}

/** Decides about the messages that rules make of one event. */
export function createDecideChannel(
  dispatcher: Dispatcher,
  event: AgentEvent,
  circumstances: Circumstances,
): DecideChannel {
  const decideOne = createDecide(dispatcher, circumstances);
  const since = Math.min(Date.parse(event.at), dispatcher.tools.clock.now());
  return (rule, channel, step) =>
    decideOne(rule, channel, {
      event,
      level: rule.level ?? event.level,
      rule: rule.name,
      channel: channel.name,
      isForPeople: channel.channelType.isForPrograms !== true,
      joinedAs: joinedAs(channel, event, circumstances.isAsked === true),
      escalatesAfterMs: step?.afterMs,
      since,
      expiresAt: since + channel.expiresAfterMs,
    });
}

/** Decides of messages by the rules of now. */
export function createDecide(
  { layout, tools, rules }: Dispatcher,
  { project, ...circumstances }: Circumstances,
): (rule: Rule | undefined, channel: Channel, message: Candidate) => Decision {
  const now = tools.clock.now();
  const mutes = [...readMutes(layout, now), ...mutesOf(project)];
  const { quietHours, stuckAfterMs } = rules().rules;
  return (rule, { throttle }, message) => {
    const isThrottled = rule?.policies.throttle !== undefined || throttle !== undefined;
    const buckets = isThrottled ? readBuckets(layout) : {};
    const joins = canJoin(message);
    const ringing = joins ? readRinging(layout) : [];
    const othersAtWork = joins && hasOthersAtWork(layout, message.event);
    const limits = { quietHours, stuckAfterMs, channelThrottle: throttle, buckets, ringing, othersAtWork };
    return decideByPolicies(message, rule?.policies ?? {}, { now, mutes, ...circumstances, ...limits });
  };
}

export function takeTokens(
  { layout, tools }: Clocked,
  event: AgentEvent,
  rule: Rule | undefined,
  channel: Channel,
): void {
  const now = tools.clock.now();
  noteRung(layout, event, channel, now);
  const throttles = { rule: rule?.policies.throttle, channel: channel.throttle };
  if (throttles.rule === undefined && throttles.channel === undefined) return;
  const message = { event, rule: rule?.name ?? "", channel: channel.name };
  writeBuckets(layout, bucketsAfter(message, throttles, readBuckets(layout), now));
}

/** The first of ends that wait for each other: those that follow wait until the same time. */
export function noteWaits({ layout, tools }: Clocked, event: AgentEvent, channel: Channel, decision: Defer): void {
  const waits = decision.by === "several" && decision.joins === undefined;
  if (waits) noteRung(layout, event, channel, tools.clock.now(), decision.until);
}

/** A message that waits for the user expires as usual; others get their time after the wait. */
export function deferredBy(
  { by, until, why, key }: Defer,
  { expiresAt }: Pick<Delivery, "expiresAt">,
  expiresAfterMs: number,
): Pick<Delivery, "hold" | "notBefore" | "expiresAt"> {
  const expires = by === "presence" ? expiresAt : Math.max(expiresAt, until + expiresAfterMs);
  return { hold: { by, why, gather: key }, notBefore: until, expiresAt: expires };
}
