// Turns an attempt's outcome into the delivery's next state: done, retry or dead.
import type { Delivery } from "../../model/delivery.ts";
import { isRetried, type Failed } from "../../model/outcome.ts";
import { preview, scrub } from "../../model/privacy/scrub.ts";
import { isOfAllSessions } from "../../model/own-events.ts";
import {
  buryDelivery,
  removeDelivery,
  writeDelivery,
  type DeliveryFile,
  deliveryFileInstead,
  escalationOf,
  newDelivery,
} from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { isBuiltIn, findChannel } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { sessionNameOf } from "../../sessions/names.ts";
import { noteShown } from "../answers/ask.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { noteList } from "../plan/waiting-list.ts";
import type { AttemptResult, ShownList, Attempt } from "./send-delivery.ts";
import { forgetPlace } from "./withdraw.ts";
import { writeEndpoint } from "../../outbox/endpoints.ts";
import { notifyPerson } from "../notices.ts";
import { withOutcome } from "../policy/endpoint-policy.ts";
import { backoffMs, claimUntil } from "../policy/waiting-delivery.ts";

/** `added`: a fallback, a notice. */
export type Settled = { added: DeliveryFile[] } & ({ next: "done" | "dead" } | { next: "retry"; notBefore: number });

/** Can be repeated after trouble with the disk. */
export function settle(dispatcher: Dispatcher, { file, delivery, attempt, list }: AttemptResult): Settled {
  const { layout, tools } = dispatcher;
  const { state, outcome, secretsDigest, startedAt } = attempt;
  const now = tools.clock.now();
  const attempts = delivery.attempts + 1;
  const place = outcome.status === "delivered" ? outcome.remember : undefined;
  // The place is noted before the delivery is removed: a question that is shown twice ends in both places, one without a
  // record in none.
  if (delivery.kind === "question" && place !== undefined) {
    noteShown(layout, delivery.question, { channel: delivery.channel, place, title: delivery.message.title });
  }
  // A removal works on a full disk, too.
  if (outcome.status === "delivered") removeDelivery(layout, "outbox", file);
  const notices = settleEndpoint(dispatcher, attempt, delivery.kind === "notice");
  if (delivery.kind !== "question" && place !== undefined) remember(dispatcher, list?.delivery ?? delivery, place);
  if (list !== undefined && outcome.status === "delivered") noteListShown(dispatcher, list);
  const settled: Settled =
    outcome.status === "delivered"
      ? { next: "done", added: [] }
      : settleFailed(dispatcher, file, { ...delivery, attempts }, state.channel, outcome);
  writeJournal(layout, now, {
    kind: "attempt",
    delivery: delivery.id,
    event: delivery.event.id,
    about: aboutOf(delivery),
    channel: delivery.channel,
    attempt: attempts,
    isAsked: secretsDigest === undefined ? false : undefined,
    outcome: outcome.status,
    reason: outcome.status === "failed" ? outcome.reason : undefined,
    detail: outcome.detail,
    ms: now - startedAt,
    next: settled.next,
    notBefore: settled.next === "retry" ? new Date(settled.notBefore).toISOString() : undefined,
  });
  return { ...settled, added: [...settled.added, ...notices] };
}

/** The journal gets no credentials, whatever the channel's `scrub` says. */
function aboutOf({ event: { agent, session, project, name, message, ...names } }: Delivery): Record<string, string> {
  if (isOfAllSessions({ agent, session })) return { agent, event: "the list of waiting sessions" };
  const about: Record<string, string> = { agent, project: scrub(project).text, event: scrub(name).text };
  const sessionName = sessionNameOf(names);
  if (sessionName !== undefined) about.sessionName = scrub(sessionName).text;
  return message === undefined ? about : { ...about, words: preview(message) };
}

function remember(
  { layout }: Dispatcher,
  { kind, event, channel }: Delivery,
  remembered: Record<string, string>,
): void {
  // The next list is a new message.
  if (kind === "edit" && isOfAllSessions(event)) return forgetPlace(layout, event, channel);
  const session = readSession(layout, event.agent, event.session);
  writeSession(layout, { ...session, remembered: { ...session.remembered, [channel]: remembered } });
}

/** The message whose place it took is the list's now, so its session must not edit it. */
function noteListShown({ layout }: Dispatcher, { delivery, key, hasTakenPlace }: ShownList): void {
  const { channel, joins } = delivery;
  noteList(layout, channel, key);
  if (joins !== undefined && hasTakenPlace) forgetPlace(layout, joins, channel);
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
  const isNotice = delivery.kind === "notice";
  const isPassedOn = failure.reason === "unavailable" || (isNotice && failure.reason !== "unknown");
  const added = isPassedOn ? fallBack(dispatcher, file, delivery) : [];
  // No user looks after a channel that is not theirs.
  const isForeign = !Object.hasOwn(dispatcher.rules().rules.channels, delivery.channel);
  // A screen that is not there needs no dead letter where another channel is told; the journal names the failure.
  const isElsewhere = failure.reason === "unavailable" && channel !== undefined && isBuiltIn(channel);
  const isUnasked = isElsewhere && (delivery.isOnlyHere !== true || added.length > 0);
  if (isUnasked || (isNotice && (added.length > 0 || isForeign))) {
    removeDelivery(layout, "outbox", file);
    return { next: "done", added };
  }
  buryDelivery(layout, file, { ...delivery, lastFailure });
  return { next: "dead", added };
}

/** Two channels with the same fallback do not use it twice. */
const madeFallbacks = new WeakMap<Dispatcher["layout"], Set<string>>();

function fallBack(dispatcher: Dispatcher, file: string, delivery: Delivery): DeliveryFile[] {
  const { layout, tools } = dispatcher;
  const { event, rule } = delivery;
  const [instead, ...fallback] = delivery.fallback;
  const channel = instead === undefined ? undefined : findChannel(dispatcher.rules().rules, instead.channel);
  if (instead === undefined || channel === undefined) return [];
  const now = tools.clock.now();
  const second = fallbackOf(now, delivery, {
    rule,
    ...instead,
    fallback,
    claimedUntil: dispatcher.isForeground ? claimUntil(channel, now) : undefined,
    expiresAt: Date.parse(event.at) + channel.expiresAfterMs,
  });
  const made = madeFallbacks.get(layout) ?? new Set();
  madeFallbacks.set(layout, made);
  if (made.has(second.id)) return [];
  const secondFile = deliveryFileInstead(file, second.id);
  writeDelivery(layout, "outbox", secondFile, second);
  made.add(second.id);
  const why =
    delivery.kind === "notice"
      ? `"${delivery.channel}" is not available; the next channel gets the message`
      : `"${delivery.channel}" is not available on this machine; its fallback gets the message`;
  const deliveries = [{ id: second.id, channel: second.channel, rule }];
  writeJournal(layout, now, { kind: "decision", event: event.id, deliveries, why });
  return [{ file: secondFile, delivery: second }];
}

/** The message for another channel. It has no buttons: only a channel that a rule chose may ask. */
function fallbackOf(
  now: number,
  delivery: Delivery,
  told: Pick<Delivery, "rule" | "channel" | "event" | "message" | "fallback" | "claimedUntil" | "expiresAt">,
): Delivery {
  if (delivery.kind === "notice") return newDelivery(now, { kind: "notice", ...told });
  if (delivery.kind === "summary")
    return newDelivery(now, { kind: "summary", summarises: delivery.summarises, ...told });
  return newDelivery(now, { kind: "event", escalatesAfterMs: escalationOf(delivery), ...told });
}

/** A notice that fails makes no notice. */
function settleEndpoint(dispatcher: Dispatcher, attempt: Attempt, isNotice: boolean): DeliveryFile[] {
  if (attempt.state.channel === undefined) return [];
  if (attempt.secretsDigest !== undefined) return settleAsked(dispatcher, attempt, attempt.secretsDigest, isNotice);
  return isNotice ? [] : settleMissing(dispatcher, attempt);
}

function settleAsked(
  dispatcher: Dispatcher,
  { state: { name, channel, endpoint: before }, outcome }: Attempt,
  secretsDigest: string,
  isNotice: boolean,
): DeliveryFile[] {
  const { layout, tools } = dispatcher;
  const fingerprint = channel?.fingerprint ?? "";
  const nowMs = tools.clock.now();
  const after = withOutcome(before, outcome, { nowMs, random: tools.random, fingerprint, secretsDigest });
  const { switchedOff } = after;
  const isNewlyOff = switchedOff !== undefined && switchedOff !== before.switchedOff;
  // The next message finds out again that the channel is off.
  if (isNewlyOff && isNotice) return [];
  // Notify before saving: after a crash the receiver is asked once more.
  const added = !isNewlyOff
    ? []
    : notifyPerson(dispatcher, `off ${name} ${fingerprint} ${secretsDigest} ${switchedOff.at}`, {
        title: `hookbell: channel "${name}" is switched off`,
        body: `${switchedOff.detail}. Fix its settings or its secret, then: hookbell test ${name}`,
        plain: { title: "hookbell: a channel is switched off", body: "hookbell status says which, and why." },
        about: name,
      });
  if (JSON.stringify(before) !== JSON.stringify(after)) writeEndpoint(layout, after);
  return added;
}

/** A command in the foreground shows the missing secret anyway. */
function settleMissing(dispatcher: Dispatcher, { state: { name, endpoint }, outcome }: Attempt): DeliveryFile[] {
  if (outcome.status === "delivered" || outcome.reason !== "missingSecret") return [];
  const { layout, tools, isForeground = false } = dispatcher;
  const { detail } = outcome;
  if (endpoint.missingSecret?.detail === detail) return [];
  const title = `hookbell: channel "${name}" waits for its secret`;
  const plain = { title: "hookbell: a channel waits for its secret", body: "hookbell status says which, and why." };
  const notice = { title, body: detail, plain, about: name };
  const added = isForeground ? [] : notifyPerson(dispatcher, `missing ${name} ${detail}`, notice);
  writeEndpoint(layout, { ...endpoint, missingSecret: { detail, at: tools.clock.now() } });
  return added;
}
