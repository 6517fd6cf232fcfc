// Sends one delivery of the outbox, and returns the result as data.
import type { Delivery } from "../../model/delivery.ts";
import { isQuestion } from "../../model/event.ts";
import { formatDuration, formatLocalTime } from "../../model/figures/duration.ts";
import type { Message } from "../../model/message.ts";
import { delivered, failed, type Failed, type Outcome } from "../../model/outcome.ts";
import { escalationOf } from "../../outbox/deliveries/deliveries.ts";
import { readSession } from "../../outbox/sessions.ts";
import type { Dispatcher, Staying } from "../dispatcher.ts";
import { type ChannelState, isSwitchedOff } from "../policy/endpoint-policy.ts";
import { askedBy } from "../answers/ask.ts";
import { attempt, failedCall, readyChannel } from "../call-channel.ts";
import { asList, isEmptyList, isListShown, placesOfList } from "../plan/waiting-list.ts";
import { readWaiting } from "../policy/waiting-delivery.ts";
import { withdrawShown } from "./withdraw.ts";

export interface AttemptResult {
  file: string;
  delivery: Delivery;
  attempt: Attempt;
  /** What was sent instead: the list of all sessions that wait. */
  list?: ShownList | undefined;
}

export interface ShownList {
  delivery: Delivery;
  key: string;
  /** Whether it has taken the place of the message that rang. */
  hasTakenPlace: boolean;
}

export interface Attempt {
  state: ChannelState;
  outcome: Outcome;
  /** Absent when the receiver was not asked. */
  secretsDigest?: string;
  startedAt: number;
}

/** How an attempt ends whose question stands in the list that the channel shows. */
export const shownInList = "the list shows it already";

/**
 * Undefined when there is nothing to send. Without `staying`, a question is sent as an ordinary message. `note` is a line
 * that the message gets.
 */
export async function sendDelivery(
  dispatcher: Dispatcher,
  file: string,
  state: ChannelState,
  staying?: Staying,
  note?: string,
): Promise<AttemptResult | undefined> {
  const startedAt = dispatcher.tools.clock.now();
  const waiting = readWaiting(dispatcher, file);
  if (typeof waiting !== "object") return undefined;
  const { claimedUntil: _, hold: __, ...delivery } = waiting;
  const tried = await tryChannel(dispatcher, delivery, state, startedAt, staying, note);
  return { file, ...tried, attempt: { state, startedAt, ...tried.attempt } };
}

type Tried = Pick<AttemptResult, "delivery" | "list"> & { attempt: Pick<Attempt, "outcome" | "secretsDigest"> };

async function tryChannel(
  dispatcher: Dispatcher,
  delivery: Delivery,
  { channel, endpoint }: ChannelState,
  nowMs: number,
  staying: Staying | undefined,
  note: string | undefined,
): Promise<Tried> {
  const { layout } = dispatcher;
  const unasked = (outcome: Outcome): Tried => ({ delivery, attempt: { outcome } });
  if (delivery.kind === "retraction") {
    const withdrawal = { why: delivery.why, isAnswer: false };
    const isMeant = (name: string): boolean => name === delivery.channel;
    await withdrawShown(dispatcher, { event: delivery.event, withdrawal, isMeant });
    return unasked(delivered({ detail: `taken back: ${delivery.why}` }));
  }
  if (delivery.kind === "list" && isEmptyList(dispatcher, delivery.event, delivery.channel)) {
    return unasked(delivered({ detail: "not shown: no session waits any more" }));
  }
  if (delivery.expiresAt <= nowMs) return unasked(expired(delivery, endpoint.missingSecret?.detail));
  if (channel === undefined) {
    return unasked(failed("unavailable", `no channel "${delivery.channel}" in the rules file any more`));
  }
  const ready = await readyChannel(dispatcher, channel);
  if ("failure" in ready) {
    const lacking = failedCall(ready);
    // The secret may never come, so the next channel gets the message.
    return unasked(delivery.fallback.length > 0 ? failed("unavailable", lacking.detail) : lacking);
  }
  const { secretsDigest } = ready;
  if (endpoint.switchedOff !== undefined && isSwitchedOff(endpoint, channel.fingerprint, secretsDigest)) {
    const { reason, at, detail } = endpoint.switchedOff;
    return unasked(failed(reason, `switched off since ${formatLocalTime(at)}: ${detail}`));
  }
  const list = delivery.kind === "event" ? asList(dispatcher, channel, delivery) : undefined;
  const click = channel.channelType.raisesTerminal ? staying?.watchClick(list?.delivery ?? delivery) : undefined;
  const isSilent = delivery.joins !== undefined;
  const notes = [howLongOpen(delivery, nowMs), note].filter((each) => each !== undefined);
  const open = notes.length === 0 ? undefined : notes.join("; ");
  const question = staying && askedBy(dispatcher, staying, delivery, channel, open);
  if (question !== undefined && "answered" in question) {
    return unasked(delivered({ detail: `not shown: ${question.answered}` }));
  }
  if (question !== undefined) {
    const card = { ...delivery, message: question.message };
    return {
      delivery,
      attempt: {
        outcome: await attempt(card, channel, ready, { question: question.asked, click, isSilent }),
        secretsDigest,
      },
    };
  }
  const ordinary = asEvent(delivery);
  if (list !== undefined) {
    if (isListShown(layout, channel.name, list.key)) {
      return { delivery: ordinary, attempt: { outcome: delivered({ detail: shownInList }) } };
    }
    const { replaces, outdated } = placesOfList(dispatcher, channel, delivery.joins);
    const send = (shown: Delivery, remembered: typeof replaces): Promise<Outcome> =>
      attempt(shown, channel, ready, { remembered, click, isSilent });
    // An older list that is not brought up to date any more must say so; whether it can is of no weight.
    if (outdated !== undefined) await send(asOutdated(list.delivery), outdated);
    const outcome = await send(list.delivery, replaces);
    const shown = { ...list, hasTakenPlace: replaces !== undefined };
    return { delivery: ordinary, list: shown, attempt: { outcome, secretsDigest } };
  }
  const session = readSession(layout, delivery.event.agent, delivery.event.session);
  const remembered = session.remembered[delivery.channel];
  const terminal = channel.channelType.isShownInTerminal ? session.terminal : undefined;
  const message = open === undefined ? ordinary.message : opened(ordinary.message, open);
  const outcome = await attempt({ ...ordinary, message }, channel, ready, { remembered, terminal, click, isSilent });
  return { delivery: ordinary, attempt: { outcome, secretsDigest } };
}

/** A question whose hook has gone is an event like any other. */
function asEvent(delivery: Delivery): Delivery {
  if (delivery.kind !== "question") return delivery;
  const { question: _, ...event } = delivery;
  return { ...event, kind: "event" };
}

const minuteMs = 60_000;

/** What an escalated message adds, as `open for 10m, not answered`: its age is known only when it is sent. */
function howLongOpen(delivery: Delivery, nowMs: number): string | undefined {
  const { event } = delivery;
  const escalatesAfterMs = escalationOf(delivery);
  if (escalatesAfterMs === undefined) return undefined;
  const ageMs = Math.max(nowMs - Date.parse(event.at), escalatesAfterMs);
  const age = formatDuration(ageMs < minuteMs ? ageMs : ageMs - (ageMs % minuteMs));
  return `open for ${age}, ${isQuestion(event) ? "not answered" : "no one has reacted"}`;
}

/** The stored message stays as it is, so that a retry tells its own age. */
function opened(message: Message, open: string): Message {
  const line = `${open.charAt(0).toUpperCase()}${open.slice(1)}.`;
  const gap = message.isMarkdown === true ? "\n\n" : "\n";
  return { ...message, body: [line, message.body].filter(Boolean).join(gap) };
}

function asOutdated(list: Delivery): Delivery {
  const message = {
    ...list.message,
    title: "The sessions that wait are in a newer message",
    body: "See the newer list.",
  };
  return { ...list, message: { ...message, level: "info" }, event: { ...list.event, level: "info" } };
}

/** `lacking`: of those that wait for a secret, only one is tried. */
function expired({ lastFailure }: Delivery, lacking: string | undefined): Failed {
  const { reason, detail } = lastFailure ?? { reason: "missingSecret", detail: lacking };
  const why = detail === undefined ? "it was never tried" : `last: ${reason}, ${detail}`;
  return failed("expired", `too old to be sent; ${why}`);
}
