// Records the attempt: the delivery's next state (done, retry or dead), what its channel is like now, and the journal.
import { noteShown } from "../answers/ask.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { backoffMs } from "../channel/waiting-delivery.ts";
import { retractReplaced } from "./retract.ts";
import { type Delivery, isAboutList } from "../../model/delivery.ts";
import { listName } from "../../model/own-events.ts";
import { isRetried, type Failed } from "../../model/outcome.ts";
import { preview, scrub } from "../../model/privacy/scrub.ts";
import { buryDelivery, removeDelivery, writeDelivery } from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { noteList } from "../../outbox/shared/lists.ts";
import { forgetReference, noteReference, ownerOf, referencesOf } from "../../outbox/shared/shown.ts";
import { isBuiltIn } from "../../rules/built-in.ts";
import type { Channel } from "../../rules/rules.ts";
import { sessionNameOf } from "../../sessions/names.ts";
import type { Ended } from "../stages.ts";
import type { AttemptResult, ShownList } from "./attempt.ts";
import type { DeliveryTools, NextState, Recorded, Sent } from "./context.ts";
import { fallBack } from "./fall-back.ts";
import { recordEndpoint } from "./record-endpoint.ts";

type RecordTools = Pick<DeliveryTools, "dispatcher" | "queues" | "lease" | "fallbacks" | "runBeside">;

/** Can be repeated after trouble with the disk: until it is done, the queue keeps the result. */
export function record({ queue, result }: Sent, tools: RecordTools): Recorded | Ended {
  const { dispatcher, queues, lease, runBeside } = tools;
  const { file, delivery, list, attempt } = result;
  const { outcome } = attempt;
  queue.unrecorded = result;
  if (outcome.status === "failed" && !lease.renew()) {
    return { ended: "deferred", why: "another dispatcher may have delivered it while this one was frozen" };
  }
  const state = recordOnDisk(result, tools);
  queue.unrecorded = undefined;
  queue.lacksSecret = outcome.status === "failed" && outcome.reason === "missingSecret";
  queue.closedUntil = queue.lacksSecret && state.next === "retry" ? state.notBefore : 0;
  // The queue waits for its secret, not one delivery.
  if (state.next === "retry") queues.change(file, { notBefore: queue.lacksSecret ? 0 : state.notBefore });
  else queues.dequeue(file);
  for (const added of state.added) queues.add(added);
  if (outcome.status === "delivered") runBeside?.(() => retractReplaced(dispatcher, list?.delivery ?? delivery));
  return { queue, result, state };
}

function recordOnDisk({ file, delivery, attempt, list, trace }: AttemptResult, tools: RecordTools): NextState {
  const { dispatcher } = tools;
  const { layout, tools: machine } = dispatcher;
  const { state, outcome, secretsDigest, startedAt } = attempt;
  const now = machine.clock.now();
  const attempts = delivery.attempts + 1;
  const place = outcome.status === "delivered" ? outcome.remember : undefined;
  // The place is noted before the delivery is removed: a question that is shown twice ends in both places, one without a
  // record in none.
  if (delivery.kind === "question" && place !== undefined) {
    const { title, project } = delivery.message;
    const { holdForMs } = dispatcher.rules().rules.answers ?? {};
    const until = holdForMs && now + holdForMs;
    noteShown(layout, delivery.question, { channel: delivery.channel, place, title, project, until });
    // Its answer is told there, and not in a message from before it.
    const isLeft = state.channel?.channelType.retract === undefined && !replacesEarlier(state.channel);
    if (isLeft) forgetReference(layout, delivery.event, delivery.channel);
  }
  // A removal works on a full disk, too.
  if (outcome.status === "delivered") removeDelivery(layout, "outbox", file);
  const notices = recordEndpoint(dispatcher, attempt, delivery.kind === "notice");
  if (delivery.kind !== "question" && place !== undefined)
    remember(dispatcher, list?.delivery ?? delivery, place, state.channel);
  if (list !== undefined && outcome.status === "delivered") noteListShown(dispatcher, list);
  const next: NextState =
    outcome.status === "delivered"
      ? { next: "done", added: [] }
      : recordFailed(file, { ...delivery, attempts }, state.channel, outcome, tools);
  writeJournal(layout, now, {
    kind: "attempt",
    delivery: delivery.id,
    event: delivery.event.id,
    about: aboutOf(delivery),
    channel: delivery.channel,
    attempt: attempts,
    isAsked: secretsDigest === undefined ? false : undefined,
    isRetraction: delivery.kind === "retraction" ? true : undefined,
    outcome: outcome.status,
    reason: outcome.status === "failed" ? outcome.reason : undefined,
    detail: outcome.detail,
    ms: now - startedAt,
    next: next.next,
    notBefore: next.next === "retry" ? new Date(next.notBefore).toISOString() : undefined,
    trace,
  });
  return { ...next, added: [...next.added, ...notices] };
}

/** The journal gets no credentials, whatever the channel's `scrub` says. */
function aboutOf(delivery: Delivery): Record<string, string> {
  const { agent, project, name, message, ...names } = delivery.event;
  if (isAboutList(delivery)) return { agent, event: listName };
  const about: Record<string, string> = { agent, project: scrub(project).text, event: scrub(name).text };
  const sessionName = sessionNameOf(names);
  if (sessionName !== undefined) about.sessionName = scrub(sessionName).text;
  return message === undefined ? about : { ...about, words: preview(message) };
}

function replacesEarlier(channel: Channel | undefined): boolean {
  return channel?.channelType.editsEarlier?.(channel.settings as never) === true;
}

function remember(
  { layout }: Dispatcher,
  delivery: Delivery,
  place: Record<string, string>,
  channel: Channel | undefined,
): void {
  if (delivery.kind === "summary" && channel?.channelType.acknowledged !== undefined) {
    for (const session of delivery.sessions ?? []) {
      // A message of the session's own that rings already goes on ringing as long as the session waits.
      const isFirst = !referencesOf(layout, session).has(delivery.channel);
      if (isFirst) noteReference(layout, session, delivery.channel, place);
    }
    return;
  }
  const owner = ownerOf(delivery);
  // What an edit has ended is changed no more: the next list, or question, is a new message.
  if (delivery.kind === "edit" && (owner === "list" || !replacesEarlier(channel)))
    forgetReference(layout, owner, delivery.channel);
  else noteReference(layout, owner, delivery.channel, place);
}

/** The message whose place it took is the list's now, so its session must not edit it. */
function noteListShown({ layout }: Dispatcher, { delivery, key, hasTakenPlace }: ShownList): void {
  const { channel, joins } = delivery;
  noteList(layout, channel, { key });
  if (joins !== undefined && hasTakenPlace) forgetReference(layout, joins, channel);
}

function recordFailed(
  file: string,
  delivery: Delivery,
  channel: Channel | undefined,
  failure: Failed,
  { dispatcher, fallbacks }: RecordTools,
): NextState {
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
  const added = isPassedOn ? fallBack(dispatcher, file, delivery, fallbacks) : [];
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
