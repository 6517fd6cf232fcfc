import { isDeepStrictEqual } from "node:util";
import type { Delivery } from "../../model/delivery.ts";
import { isRetried, type Failed, type Outcome } from "../../model/outcome.ts";
import { preview, scrub } from "../../model/privacy/scrub.ts";
import { isOwnNotice } from "../../model/own-events.ts";
import {
  buryDelivery,
  deliveryFileInstead,
  deliveryIdOf,
  removeDelivery,
  writeDelivery,
} from "../../outbox/deliveries.ts";
import { readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import type { Channel } from "../../rules/rules.ts";
import { backoffMs, claimUntil } from "../policy/retry-timing.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { withOutcome } from "../policy/endpoint-policy.ts";
import { notifyPerson } from "../notices/notify-person.ts";
import { findChannel } from "../../rules/built-in.ts";

/** What an attempt leads to. `added` are files of deliveries that came into being by it. */
export type Settled = { added: { file: string; delivery: Delivery }[] } & (
  | { next: "done" | "dead" }
  | { next: "retry"; notBefore: number }
);

export interface Attempted {
  outcome: Outcome;
  channel: Channel | undefined;
  /** Of the secrets it was tried with; absent when the receiver was not asked at all. */
  secretsDigest: string | undefined;
  startedAt: number;
}

/** Turns an outcome into the next state on the disk. */
export function settle(
  dispatcher: Dispatcher,
  file: string,
  delivery: Delivery,
  { outcome, channel, secretsDigest, startedAt }: Attempted,
): Settled {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  const attempts = delivery.attempts + 1;
  // Before all else, and a full disk allows it: what was delivered must not go out again.
  if (outcome.status === "delivered") removeDelivery(layout, "outbox", file);
  const isNotice = isOwnNotice(delivery.event);
  const added =
    channel === undefined
      ? []
      : secretsDigest !== undefined
        ? settleEndpoint(dispatcher, channel, secretsDigest, outcome, isNotice)
        : isNotice
          ? []
          : settleMissing(dispatcher, channel.name, outcome);
  const settled =
    outcome.status === "delivered"
      ? settleDelivered(dispatcher, delivery, outcome.remember)
      : settleFailed(dispatcher, file, { ...delivery, attempts }, channel, outcome);
  writeJournal(layout, now, {
    kind: "attempt",
    delivery: delivery.id,
    event: delivery.event.id,
    about: aboutOf(delivery),
    channel: delivery.channel,
    attempt: attempts,
    // Of a channel that is switched off, say, nothing was asked.
    ...(secretsDigest === undefined ? { isAsked: false } : {}),
    outcome: outcome.status,
    ...(outcome.status === "failed" ? { reason: outcome.reason } : {}),
    ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
    ms: now - startedAt,
    next: settled.next,
    ...(settled.next === "retry" ? { notBefore: new Date(settled.notBefore).toISOString() } : {}),
  });
  return { ...settled, added: [...settled.added, ...added] };
}

/** Also where a channel is told credentials (`scrub: false`), the journal is not. */
function aboutOf({ event: { agent, project, name, message } }: Delivery): Record<string, string> {
  const about = { agent, project: scrub(project).text, event: scrub(name).text };
  return message === undefined ? about : { ...about, words: preview(message) };
}

/** What the outcome says about the destination outlives this process; the person hears once that it is switched off. */
function settleEndpoint(
  dispatcher: Dispatcher,
  { fingerprint, name }: Channel,
  secretsDigest: string,
  outcome: Outcome,
  isNotice: boolean,
): Settled["added"] {
  const { layout, tools } = dispatcher;
  const before = readEndpoint(layout, name);
  const nowMs = tools.clock.now();
  const after = withOutcome(before, outcome, { nowMs, random: tools.random, fingerprint, secretsDigest });
  const { switchedOff } = after;
  // A notice makes no notice: the next message finds out that this one takes nothing, and then the person hears of it.
  if (isNotice && switchedOff !== before.switchedOff && switchedOff !== undefined) return [];
  // Told before it is written down: a crash in between asks the receiver once more, and does not silence the notice.
  const added =
    switchedOff === undefined || switchedOff === before.switchedOff
      ? []
      : notifyPerson(dispatcher, `off ${name} ${fingerprint} ${secretsDigest} ${switchedOff.at}`, {
          title: `hookbell: channel "${name}" is switched off`,
          body: `${switchedOff.detail}. Fix its settings or its secret, then: hookbell test ${name}`,
          plain: { title: "hookbell: a channel is switched off", body: "hookbell status says which, and why." },
          about: name,
        });
  if (!isDeepStrictEqual(before, after)) writeEndpoint(layout, after);
  return added;
}

/** The person hears once what the channel waits for; one in the foreground sees it anyway. */
function settleMissing(dispatcher: Dispatcher, name: string, outcome: Outcome): Settled["added"] {
  if (outcome.status === "delivered" || outcome.reason !== "missingSecret") return [];
  const { layout, tools, isForeground = false } = dispatcher;
  const { detail } = outcome;
  const before = readEndpoint(layout, name);
  if (before.missingSecret?.detail === detail) return [];
  const title = `hookbell: channel "${name}" waits for its secret`;
  const plain = { title: "hookbell: a channel waits for its secret", body: "hookbell status says which, and why." };
  const notice = { title, body: detail, plain, about: name };
  const added = isForeground ? [] : notifyPerson(dispatcher, `missing ${name} ${detail}`, notice);
  writeEndpoint(layout, { ...before, missingSecret: { detail, at: tools.clock.now() } });
  return added;
}

function settleDelivered(
  { layout }: Dispatcher,
  delivery: Delivery,
  remember: Record<string, string> | undefined,
): Settled {
  if (remember !== undefined) {
    const session = readSession(layout, delivery.event.agent, delivery.event.session);
    writeSession(layout, { ...session, remembered: { ...session.remembered, [delivery.channel]: remember } });
  }
  return { next: "done", added: [] };
}

function settleFailed(
  dispatcher: Dispatcher,
  file: string,
  delivery: Delivery,
  channel: Channel | undefined,
  failure: Failed,
): Settled {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  const lastFailure = { reason: failure.reason, detail: failure.detail, at: now };
  if (isRetried(failure.reason, channel?.channelType.isRepeatHarmless ?? false)) {
    const notBefore = now + backoffMs(delivery.attempts, tools.random, failure.retryAfterMs);
    writeDelivery(layout, "outbox", file, { ...delivery, lastFailure, notBefore });
    return { next: "retry", notBefore, added: [] };
  }
  const isNotice = isOwnNotice(delivery.event);
  const isPassedOn = failure.reason === "unavailable" || (isNotice && failure.reason !== "unknown");
  const added = isPassedOn ? fallBack(dispatcher, file, delivery) : [];
  // Nobody would look after a dead letter to a channel that is not theirs; the journal has what it said.
  const isNobodys = !Object.hasOwn(dispatcher.rules().rules.channels, delivery.channel);
  if (isNotice && (added.length > 0 || isNobodys)) {
    removeDelivery(layout, "outbox", file);
    return { next: "done", added };
  }
  buryDelivery(layout, file, { ...delivery, lastFailure });
  return { next: "dead", added };
}

/** Fallbacks that a dispatcher has made, so that two channels with the same one do not use it twice. */
const madeFallbacks = new WeakMap<Dispatcher["layout"], Set<string>>();

/** The rule's other channels get the message when this one cannot show it on this machine; a notice finds its way past any failure. */
function fallBack(dispatcher: Dispatcher, file: string, delivery: Delivery): { file: string; delivery: Delivery }[] {
  const { layout, tools } = dispatcher;
  const [instead, ...fallback] = delivery.fallback;
  const channel = instead === undefined ? undefined : findChannel(dispatcher.rules().rules, instead.channel);
  if (instead === undefined || channel === undefined) return [];
  const { lastFailure: _, payload: __, ...rest } = delivery;
  const now = tools.clock.now();
  const second: Delivery = {
    ...rest,
    ...instead,
    id: deliveryIdOf(delivery.event.id, channel.name),
    fallback,
    attempts: 0,
    notBefore: now,
    ...(dispatcher.isForeground ? { claimedUntil: claimUntil(channel, now) } : {}),
    expiresAt: Date.parse(delivery.event.at) + channel.expiresAfterMs,
  };
  const made = madeFallbacks.get(layout) ?? new Set();
  madeFallbacks.set(layout, made);
  if (made.has(second.id)) return [];
  const secondFile = deliveryFileInstead(file, second.id);
  writeDelivery(layout, "outbox", secondFile, second);
  made.add(second.id);
  writeJournal(layout, now, {
    kind: "decision",
    event: delivery.event.id,
    deliveries: [{ id: second.id, channel: second.channel, rule: second.rule }],
    why: isOwnNotice(delivery.event)
      ? `"${delivery.channel}" cannot tell of it, so the next one`
      : `"${delivery.channel}" is not available on this machine, so its fallback`,
  });
  return [{ file: secondFile, delivery: second }];
}
