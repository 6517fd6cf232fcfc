// Turns an attempt's outcome into the delivery's next state: done, retry or dead.
import type { Delivery } from "../../model/delivery.ts";
import { isRetried, type Failed } from "../../model/outcome.ts";
import { preview, scrub } from "../../model/privacy/scrub.ts";
import type { AgentEvent } from "../../model/event.ts";
import { isOfAllSessions, isOwnNotice } from "../../model/own-events.ts";
import { buryDelivery, removeDelivery, writeDelivery, type DeliveryFile } from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { readSession, writeSession } from "../../outbox/sessions.ts";
import { isBuiltIn } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { noteShown } from "../answers/ask.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { backoffMs } from "../policy/retry-timing.ts";
import { noteList } from "../plan/waiting-list.ts";
import type { AttemptResult, ShownList } from "../send/send-delivery.ts";
import { ownEditRule } from "../send/withdraw.ts";
import { fallBack } from "./fall-back.ts";
import { settleEndpoint } from "./settle-endpoint.ts";

/** `added`: a fallback, a notice. */
export type Settled = { added: DeliveryFile[] } & ({ next: "done" | "dead" } | { next: "retry"; notBefore: number });

/** Can be repeated after trouble with the disk. */
export function settle(dispatcher: Dispatcher, { file, delivery, attempt, list }: AttemptResult): Settled {
  const { layout, tools } = dispatcher;
  const { state, outcome, secretsDigest, startedAt } = attempt;
  const now = tools.clock.now();
  const attempts = delivery.attempts + 1;
  const place = outcome.status === "delivered" ? outcome.remember : undefined;
  // First: a question that is shown twice ends in both places, one without a record in none.
  if (delivery.question !== undefined && place !== undefined) {
    noteShown(layout, delivery.question, { channel: delivery.channel, place, title: delivery.message.title });
  }
  // A full disk allows it.
  if (outcome.status === "delivered") removeDelivery(layout, "outbox", file);
  const notices = settleEndpoint(dispatcher, attempt, isOwnNotice(delivery.event));
  if (delivery.question === undefined && place !== undefined) remember(dispatcher, list?.delivery ?? delivery, place);
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

/** Without credentials, whatever the channel's `scrub` says. */
function aboutOf({ event: { agent, project, name, message } }: Delivery): Record<string, string> {
  const about = { agent, project: scrub(project).text, event: scrub(name).text };
  return message === undefined ? about : { ...about, words: preview(message) };
}

function remember(
  { layout }: Dispatcher,
  { event, channel, rule }: Delivery,
  remembered: Record<string, string>,
): void {
  // The next list is a new message.
  if (rule === ownEditRule && isOfAllSessions(event)) return forgetPlace(layout, event, channel);
  const session = readSession(layout, event.agent, event.session);
  writeSession(layout, { ...session, remembered: { ...session.remembered, [channel]: remembered } });
}

function forgetPlace(layout: Layout, { agent, session }: Pick<AgentEvent, "agent" | "session">, channel: string): void {
  const record = readSession(layout, agent, session);
  const { [channel]: _, ...others } = record.remembered;
  writeSession(layout, { ...record, remembered: others });
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
  const isNotice = isOwnNotice(delivery.event);
  const isPassedOn = failure.reason === "unavailable" || (isNotice && failure.reason !== "unknown");
  const added = isPassedOn ? fallBack(dispatcher, file, delivery) : [];
  // No user looks after a channel that is not theirs.
  const isForeign = !Object.hasOwn(dispatcher.rules().rules.channels, delivery.channel);
  // A screen that is not there needs no dead letter; the journal names the failure.
  const isUnasked = failure.reason === "unavailable" && channel !== undefined && isBuiltIn(channel);
  if (isUnasked || (isNotice && (added.length > 0 || isForeign))) {
    removeDelivery(layout, "outbox", file);
    return { next: "done", added };
  }
  buryDelivery(layout, file, { ...delivery, lastFailure });
  return { next: "dead", added };
}
