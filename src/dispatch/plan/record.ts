// Records an event, the decision about it, and the session's new state.
import { createWords } from "../../model/privacy/scrub-event.ts";
import { isVerification } from "../../model/own-events.ts";
import { isToolCall, type AgentEvent } from "../../model/event.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { writeSession } from "../../outbox/sessions.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isStorageTrouble } from "../policy/retry-timing.ts";
import { takeTokens } from "./hold-back.ts";
import { noteSession } from "./roll-up.ts";
import type { PayloadPlan } from "./plan-payload.ts";

export function record({ layout, tools }: Dispatcher, plan: PayloadPlan): void {
  const now = tools.clock.now();
  if (plan.isUnrecorded !== true) writeEvent(layout, now, plan);
  const { event, selection, session, parent } = plan;
  if (isVerification(event.session)) return;
  noteSession(layout, session);
  for (const { verdict, rule, channel } of selection.chosen) {
    if (verdict.verdict === "send") takeTokens({ layout, tools }, event, rule, channel);
  }
  try {
    writeSession(layout, session);
    if (parent !== undefined) writeSession(layout, parent);
  } catch (error) {
    // The message matters more.
    if (!isStorageTrouble(error)) throw error;
  }
}

function writeEvent(layout: Layout, now: number, plan: PayloadPlan): void {
  const { event, planned, ignored, duplicateOf, oddities } = plan;
  // The record is shown to others.
  const { event: scrubbed } = createWords(isToolCall(event.name) ? withoutWords(event) : event, undefined)(true);
  writeJournal(layout, now, { kind: "event", event: scrubbed, ignored, duplicateOf, ...noteOf(oddities) });
  // Tool calls come in hundreds.
  const isOnlyCounted = isToolCall(event.name) && planned.length === 0 && ignored === undefined;
  if (!isOnlyCounted) writeDecision(layout, now, plan);
}

/** A tool call's reason is what the tool wrote. */
function withoutWords({ message: _message, title: _title, reason: _reason, ...event }: AgentEvent): AgentEvent {
  return event;
}

function writeDecision(
  layout: Layout,
  now: number,
  { event, planned, selection, ignored, duplicateOf, wouldReach }: PayloadPlan,
): void {
  writeJournal(layout, now, {
    kind: "decision",
    event: event.id,
    rules: selection.rules,
    deliveries: planned
      .filter(({ delivery }) => delivery.event.id === event.id)
      .map(({ delivery: { id, channel, rule, hold, notBefore } }) => ({
        id,
        channel,
        rule,
        ...(hold && { by: hold.by, held: hold.why, until: new Date(notBefore).toISOString() }),
        ...noteOfScrubbed(selection, channel),
      })),
    silent: selection.silent,
    why: ignored,
    duplicateOf,
    wouldReach,
  });
}

function noteOf({ calledAs, drift = [], isShortened }: Partial<NonNullable<PayloadPlan["oddities"]>> = {}): Record<
  string,
  unknown
> {
  return { calledAs, drift: drift.length === 0 ? undefined : drift, isShortened };
}

function noteOfScrubbed({ chosen }: Selection, name: string): { scrubbed?: readonly string[] } {
  const { scrubbed = [] } = chosen.find(({ channel }) => channel.name === name) ?? {};
  return scrubbed.length === 0 ? {} : { scrubbed };
}
