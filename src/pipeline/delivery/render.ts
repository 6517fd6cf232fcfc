// Decides in what form the channel shows the message: as a question with buttons, as a list of all that wait, or by itself.
import { askedBy } from "../answers/ask.ts";
import { asList, isListShown, listReferences } from "../coalescer/waiting-list.ts";
import type { Delivery } from "../../model/delivery.ts";
import { isQuestion } from "../../model/event.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { withNote } from "../../model/message.ts";
import { delivered } from "../../model/outcome.ts";
import { escalationOf } from "../../outbox/deliveries/deliveries.ts";
import { readSession } from "../../outbox/sessions.ts";
import { ownerOf, referencesOf } from "../../outbox/shared/shown.ts";
import type { Channel } from "../../rules/rules.ts";
import { withFinding } from "../stages.ts";
import type { DeliveryTools, Form, KnownOutcome, Opened, Rendered, Shown } from "./context.ts";

/** How an attempt ends whose question stands in the list that the channel shows. */
export const shownInList = "the list shows it already";

type RenderTools = Pick<DeliveryTools, "dispatcher" | "questionsAndClicks">;

export function render(opened: Opened, tools: RenderTools): Rendered {
  const { attempt, delivery } = opened;
  if (attempt.how !== "call") return { ...opened, attempt };
  const form = formOf(opened, attempt.channel, tools);
  const isStillAsked = form.kind === "card" || form.kind === "answered";
  const trace = withFinding(opened.trace, "render", ...findingsOf(form));
  const rendered = { ...opened, trace, delivery: isStillAsked ? delivery : asEvent(delivery) };
  if (form.kind === "answered") return { ...rendered, attempt: notShown(`not shown: ${form.how}`) };
  if (form.kind === "inList") return { ...rendered, attempt: notShown(shownInList) };
  return { ...rendered, attempt: { ...attempt, form } };
}

function findingsOf(form: ReturnType<typeof formOf>): (string | undefined)[] {
  if (form.kind === "answered" || form.kind === "inList") return ["not shown"];
  const { isSilent, remembered } = form.request;
  return [
    { card: "a question with buttons", list: "a list of all sessions that wait", message: "a message" }[form.kind],
    remembered === undefined ? undefined : "in place of an earlier one",
    isSilent === true ? "without a sound" : undefined,
  ];
}

function notShown(detail: string): KnownOutcome {
  return { how: "known", outcome: delivered({ detail }) };
}

/** The one place that decides it. `answered`, `inList`: there is nothing to show any more. */
function formOf(
  { delivery, startedAt, note }: Opened,
  channel: Channel,
  tools: RenderTools,
): Form | { kind: "answered"; how: string } | { kind: "inList" } {
  const { dispatcher, questionsAndClicks } = tools;
  const notes = [howLongOpen(delivery, startedAt), note].filter((each) => each !== undefined);
  const lineOf = (lines: readonly string[]): string | undefined => (lines.length === 0 ? undefined : lines.join("; "));
  const line = lineOf(notes);
  const question = questionsAndClicks && askedBy(dispatcher, questionsAndClicks, delivery, channel, line);
  if (question !== undefined && "answered" in question) return { kind: "answered", how: question.answered };
  if (question !== undefined && "noButtons" in question) {
    const why = lineOf([...notes, `no buttons: ${question.noButtons}`]);
    return { kind: "message", ...byItself(asEvent(delivery), channel, why, tools) };
  }
  if (question !== undefined) {
    const shown = { ...delivery, message: question.message };
    return { kind: "card", shown, request: { ...given(delivery, channel, tools), question: question.asked } };
  }
  const list = delivery.kind === "event" ? asList(dispatcher, channel, delivery) : undefined;
  if (list === undefined) return { kind: "message", ...byItself(asEvent(delivery), channel, line, tools) };
  if (isListShown(dispatcher.layout, channel.name, list.key)) return { kind: "inList" };
  const { replaces, outdated } = listReferences(dispatcher, channel, delivery.joins);
  const request = given(list.delivery, channel, tools);
  return {
    kind: "list",
    list: { ...list, hasTakenPlace: replaces !== undefined },
    outdated: outdated && { shown: asOutdated(list.delivery), request: { ...request, remembered: outdated } },
    shown: list.delivery,
    request: { ...request, remembered: replaces },
  };
}

/** What every form hands to the channel. */
function given(shown: Delivery, { channelType }: Channel, { questionsAndClicks }: RenderTools): Shown["request"] {
  const click = channelType.raisesTerminal ? questionsAndClicks?.watchClick(shown) : undefined;
  return { click, isSilent: shown.joins !== undefined };
}

function byItself(delivery: Delivery, channel: Channel, line: string | undefined, tools: RenderTools): Shown {
  const { layout } = tools.dispatcher;
  const { agent, session } = delivery.event;
  const remembered = referencesOf(layout, ownerOf(delivery)).get(delivery.channel);
  const terminal = channel.channelType.isShownInTerminal ? readSession(layout, agent, session).terminal : undefined;
  // The stored message stays as it is, so that a retry tells its own age.
  const message = line === undefined ? delivery.message : withNote(delivery.message, line);
  return { shown: { ...delivery, message }, request: { ...given(delivery, channel, tools), remembered, terminal } };
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

function asOutdated(list: Delivery): Delivery {
  const message = {
    ...list.message,
    title: "The sessions that wait are in a newer message",
    body: "See the newer list.",
  };
  return { ...list, message: { ...message, level: "info" }, event: { ...list.event, level: "info" } };
}
