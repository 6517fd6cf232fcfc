// Asks attention whether a message goes now, later or never.
import type { Presence } from "../../attention/presence.ts";
import type { AboutLimit } from "../../attention/limit.ts";
import type { SignsOfWork } from "../../attention/stuck.ts";
import { canJoin, ringingAfter } from "../../attention/several.ts";
import { bucketsAfter } from "../../attention/throttle.ts";
import type { Hold, OfSeveral, Verdict, Weighed } from "../../attention/verdict.ts";
import { weigh } from "../../attention/weigh.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { readBuckets, readMutes, readRinging, writeBuckets, writeRinging } from "../../outbox/attention.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { HoldBack } from "../../rules/apply/select.ts";
import { mutesOf, type ProjectFile } from "../../rules/project-file.ts";
import type { Channel, Rule } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";

/** What attention goes by, beside the message and the rules. */
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
export function createHoldBack(dispatcher: Dispatcher, event: AgentEvent, circumstances: Circumstances): HoldBack {
  const weighOne = createWeigh(dispatcher, circumstances);
  const since = Math.min(Date.parse(event.at), dispatcher.tools.clock.now());
  return (rule, channel, step) =>
    weighOne(rule, channel, {
      event,
      level: rule.level ?? event.level,
      rule: rule.name,
      channel: channel.name,
      isForPeople: channel.channelType.isForPrograms !== true,
      ofSeveral: ofSeveral(channel, circumstances.isAsked === true),
      escalatesAfterMs: step?.afterMs,
      since,
      expiresAt: since + channel.expiresAfterMs,
    });
}

/** Each question with buttons needs a message of its own, and each terminal shows its own session. */
export function ofSeveral({ channelType, settings, answers }: Channel, isAsked: boolean): OfSeveral {
  if (channelType.noticing?.how === "hear") return "skip";
  if (channelType.isShownInTerminal === true) return "each";
  const isUpdated = (isAsked && answers) || channelType.showsList?.(settings as never) !== undefined;
  return isUpdated ? "update" : "gather";
}

/** Weighs messages by the rules of now. */
export function createWeigh(
  { layout, tools, rules }: Dispatcher,
  { project, ...circumstances }: Circumstances,
): (rule: Rule | undefined, channel: Channel, message: Weighed) => Verdict {
  const now = tools.clock.now();
  const mutes = [...readMutes(layout, now), ...mutesOf(project)];
  const { quietHours, stuckAfterMs } = rules().rules;
  return (rule, { throttle }, message) => {
    const isThrottled = rule?.attention.throttle !== undefined || throttle !== undefined;
    const buckets = isThrottled ? readBuckets(layout) : {};
    const ringing = canJoin(message) ? readRinging(layout) : [];
    const limits = { quietHours, stuckAfterMs, channelThrottle: throttle, buckets, ringing };
    return weigh(message, rule?.attention ?? {}, { now, mutes, ...circumstances, ...limits });
  };
}

export function takeTokens(
  { layout, tools }: Pick<Dispatcher, "layout" | "tools">,
  event: AgentEvent,
  rule: Rule | undefined,
  { name, throttle, channelType }: Channel,
): void {
  const now = tools.clock.now();
  if (canJoin({ event, isForPeople: channelType.isForPrograms !== true })) {
    writeRinging(layout, ringingAfter(event, name, readRinging(layout), now));
  }
  const throttles = { rule: rule?.attention.throttle, channel: throttle };
  if (throttles.rule === undefined && throttles.channel === undefined) return;
  const message = { event, rule: rule?.name ?? "", channel: name };
  writeBuckets(layout, bucketsAfter(message, throttles, readBuckets(layout), now));
}

/** A message that waits for the user expires as usual; others get their time after the wait. */
export function deferredBy(
  { by, until, why, gather }: Hold,
  { expiresAt }: Pick<Delivery, "expiresAt">,
  expiresAfterMs: number,
): Pick<Delivery, "hold" | "notBefore" | "expiresAt"> {
  const expires = by === "presence" ? expiresAt : Math.max(expiresAt, until + expiresAfterMs);
  return { hold: { by, why, gather }, notBefore: until, expiresAt: expires };
}
