// Asks attention whether a message goes now, later or never.
import type { EscalationStep } from "../../attention/escalation.ts";
import type { Mute } from "../../attention/mute.ts";
import type { Presence } from "../../attention/presence.ts";
import type { SignsOfWork } from "../../attention/stuck.ts";
import { bucketsAfter } from "../../attention/throttle.ts";
import type { Verdict, Weighed } from "../../attention/verdict.ts";
import { weigh, type Situation } from "../../attention/weigh.ts";
import type { AgentEvent } from "../../model/event.ts";
import { readBuckets, readMutes, writeBuckets } from "../../outbox/attention.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { HoldBack } from "../../rules/apply/select.ts";
import type { ProjectFile } from "../../rules/project-file.ts";
import type { Channel, Rule } from "../../rules/rules.ts";
import type { Dispatcher } from "../dispatcher.ts";

export interface Moment {
  session: SessionRecord;
  presence?: Presence | undefined;
  signsOfWork?: SignsOfWork | undefined;
  project?: ProjectFile | undefined;
}

export function createHoldBack(dispatcher: Dispatcher, event: AgentEvent, moment: Moment): HoldBack {
  const situation = situationOf(dispatcher, moment);
  const since = Math.min(Date.parse(event.at), situation.now);
  return (rule, channel, step) => {
    const expiresAt = since + channel.expiresAfterMs;
    const message = { ...messageFor(event, rule, channel, step), since, expiresAt };
    return weigh(message, rule.attention, { ...situation, ...limitsOf(dispatcher, rule, channel) });
  };
}

/** For a message that waits, by the rules of now. */
export function holdBackAgain(
  dispatcher: Dispatcher,
  message: Weighed,
  rule: Rule | undefined,
  channel: Channel,
  moment: Moment,
): Verdict {
  const situation = { ...situationOf(dispatcher, moment), ...limitsOf(dispatcher, rule, channel) };
  return weigh(message, rule?.attention ?? {}, situation);
}

function messageFor(
  event: AgentEvent,
  rule: Rule,
  channel: Channel,
  step: EscalationStep | undefined,
): Omit<Weighed, "since" | "expiresAt"> {
  return {
    event,
    level: rule.level ?? event.level,
    rule: rule.name,
    channel: channel.name,
    isForPeople: channel.channelType.isForPrograms !== true,
    escalatesAfterMs: step?.afterMs,
  };
}

function situationOf({ layout, tools, rules }: Dispatcher, { project, ...moment }: Moment): Situation {
  const now = tools.clock.now();
  const mutes = [...readMutes(layout, now), ...mutesOf(project)];
  const { quietHours, stuckAfterMs } = rules().rules;
  return { now, ...moment, mutes, quietHours, stuckAfterMs, buckets: {} };
}

export function mutesOf(project: ProjectFile | undefined): Mute[] {
  return project?.mute === true ? [{ scope: "file", name: project.path }] : [];
}

function limitsOf(
  { layout }: Dispatcher,
  rule: Rule | undefined,
  { throttle }: Channel,
): Pick<Situation, "channelThrottle" | "buckets"> {
  const isThrottled = rule?.attention.throttle !== undefined || throttle !== undefined;
  return { channelThrottle: throttle, buckets: isThrottled ? readBuckets(layout) : {} };
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
