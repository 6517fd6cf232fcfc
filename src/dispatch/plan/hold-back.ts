// Asks attention whether a message goes now, later or never.
import type { Mute } from "../../attention/mute.ts";
import type { Presence } from "../../attention/presence.ts";
import type { SignsOfWork } from "../../attention/stuck.ts";
import { bucketsAfter } from "../../attention/throttle.ts";
import type { Verdict, Weighed } from "../../attention/verdict.ts";
import { weigh } from "../../attention/weigh.ts";
import type { AgentEvent } from "../../model/event.ts";
import { readBuckets, readMutes, writeBuckets } from "../../outbox/attention.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { HoldBack } from "../../rules/apply/select.ts";
import type { ProjectFile } from "../../rules/project-file.ts";
import type { Channel, Rule } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";

/** What attention goes by, beside the message and the rules. */
export interface Circumstances {
  session: SessionRecord;
  presence?: Presence | undefined;
  signsOfWork?: SignsOfWork | undefined;
  project?: ProjectFile | undefined;
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
      escalatesAfterMs: step?.afterMs,
      since,
      expiresAt: since + channel.expiresAfterMs,
    });
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
    const limits = { quietHours, stuckAfterMs, channelThrottle: throttle, buckets };
    return weigh(message, rule?.attention ?? {}, { now, mutes, ...circumstances, ...limits });
  };
}

export function mutesOf(project: ProjectFile | undefined): Mute[] {
  return project?.mute === true ? [{ scope: "file", name: project.path }] : [];
}

export function takeTokens(
  { layout, tools }: Pick<Dispatcher, "layout" | "tools">,
  event: AgentEvent,
  rule: Rule | undefined,
  { name, throttle }: Channel,
): void {
  const throttles = { rule: rule?.attention.throttle, channel: throttle };
  if (throttles.rule === undefined && throttles.channel === undefined) return;
  const message = { event, rule: rule?.name ?? "", channel: name };
  writeBuckets(layout, bucketsAfter(message, throttles, readBuckets(layout), tools.clock.now()));
}
