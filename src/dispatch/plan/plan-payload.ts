import { isNamedSession } from "../../agents/dialect/values.ts";
import type { PayloadReading } from "../../agents/read-payload.ts";
import type { Delivery } from "../../model/delivery.ts";
import { levelOfEvent, type AgentEvent } from "../../model/event.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { isVerification, verificationWhy } from "../../model/own-events.ts";
import { deliveryFileName } from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { readSession, writeSession, type SessionRecord } from "../../outbox/sessions.ts";
import { factsOf, matchRule } from "../../rules/apply/match.ts";
import type { Rule, Rules } from "../../rules/rules.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { eventOf, sessionAfter } from "../understand/event.ts";
import { findAgentTerminal } from "../understand/agent-terminal.ts";
import { detectDuplicate } from "../understand/duplicates.ts";
import { planEvent } from "./plan-event.ts";
import { isStorageTrouble } from "../policy/storage-trouble.ts";

/** A payload understood: what happened, who is to be told, and why. Nothing is on the disk yet. */
export interface Understood {
  event: AgentEvent;
  planned: { file: string; delivery: Delivery }[];
  selection: Selection;
  session: SessionRecord;
  /** Why nobody is told, when nobody ever is. */
  ignored?: string | undefined;
  /** The event that this one only repeats. */
  duplicateOf?: string | undefined;
  /** Who would have been told, if this were not a verification. */
  wouldReach?: { channel: string; rule: string }[];
  /** What was odd about the payload. */
  oddities?: Pick<PayloadReading & { status: "valid" }, "calledAs" | "drift">;
}

export function understand(
  dispatcher: Dispatcher,
  reading: PayloadReading & { status: "valid" },
  origin: {
    eventId: string;
    receivedAt: number;
    position: string;
    callerPids?: readonly number[];
    wiredBy?: string | undefined;
  },
): Understood {
  const { layout, tools, host } = dispatcher;
  const now = tools.clock.now();
  const session = readSession(layout, reading.agentId, reading.facts.session);
  const event = eventOf(reading, {
    id: origin.eventId,
    // A clock that was set back must not make an event come from the future.
    receivedAt: Math.min(origin.receivedAt, now),
    host,
    home: tools.home,
    turnStartedAt: session.turnStartedAt,
  });
  const { ignored, calledAs, drift } = reading;
  const oddities = { calledAs, drift };
  const { rules } = dispatcher.rules();
  if (ignored !== undefined) {
    const seen = { ...session, lastSeenAt: Date.parse(event.at) };
    return { event, planned: [], selection: selectNobody(rules, ignored), session: seen, ignored, oddities };
  }
  const { deliveries, selection } = planEvent(event, reading.payload, rules, now);
  const planned = deliveries.map((delivery, order) => ({
    file: deliveryFileName(origin.position, order, delivery.id),
    delivery,
  }));
  if (isVerification(event.session)) {
    const wouldReach = selection.chosen.map(({ channel, rule }) => ({ channel: channel.name, rule: rule.name }));
    const nobody = unchosen(selection, verificationWhy);
    return { event, planned: [], selection: nobody, session, ignored: verificationWhy, wouldReach, oddities };
  }
  const terminal = findAgentTerminal(dispatcher, origin) ?? session.terminal;
  const by = origin.wiredBy === undefined ? "" : ` by ${origin.wiredBy}`;
  const { duplicate, recent } = detectDuplicate(session.recent ?? [], {
    event,
    way: `${calledAs ?? reading.agentId}${by}:${reading.agentEvent ?? event.name}`,
    channels: selection.chosen.map(({ channel }) => channel.name),
    isToldAsError: selection.chosen.every(({ rule }) => !holdsWithoutError(rule, event)),
    // Whoever speaks the generic dialect may call anything a session.
    isOneSession: reading.agent.id !== "generic" && isNamedSession(event.session),
  });
  if (duplicate !== undefined) {
    const seen = { ...session, terminal, recent, lastSeenAt: Date.parse(event.at) };
    const { of: duplicateOf, why } = duplicate;
    const nobody = unchosen(selection, why);
    return { event, planned: [], selection: nobody, session: seen, ignored: why, duplicateOf, oddities };
  }
  return { event, planned, selection, session: { ...sessionAfter(session, event), terminal, recent }, oddities };
}

/** Whether the rule would hear of such an event, too, if nothing had broken. */
function holdsWithoutError(rule: Rule, { reason: _reason, ...event }: AgentEvent): boolean {
  return matchRule(rule, factsOf({ ...event, level: levelOfEvent(event.name) })).held;
}

/** The rules have been read, and yet nobody is told. */
function unchosen({ rules, chosen, silent }: Selection, why: string): Selection {
  return { rules, chosen: [], silent: [...chosen.map(({ channel }) => ({ channel: channel.name, why })), ...silent] };
}

function selectNobody({ channels, rules }: Rules, why: string): Selection {
  return {
    rules: rules.map(({ name }) => ({ name, held: false, why: `not read: ${why}` })),
    chosen: [],
    silent: Object.keys(channels).map((channel) => ({ channel, why })),
  };
}

/** The event, the decision about it and the session's new state go on record. */
export function record(
  { layout, tools }: Dispatcher,
  { event, planned, selection, session, ignored, duplicateOf, wouldReach, oddities }: Understood,
): void {
  const now = tools.clock.now();
  // The rules have read what the agent said; the record is what people show to others.
  const told = createWords(event, undefined)(true).event;
  writeJournal(layout, now, { kind: "event", event: told, ...noteOf(oddities) });
  writeJournal(layout, now, {
    kind: "decision",
    event: event.id,
    rules: selection.rules,
    deliveries: planned.map(({ delivery: { id, channel, rule } }) => ({
      id,
      channel,
      rule,
      ...noteOfScrubbed(selection, channel),
    })),
    silent: selection.silent,
    ...(ignored === undefined ? {} : { why: ignored }),
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    ...(wouldReach === undefined ? {} : { wouldReach }),
  });
  if (isVerification(event.session)) return;
  try {
    writeSession(layout, session);
  } catch (error) {
    // The message matters more than how long its turn took.
    if (!isStorageTrouble(error)) throw error;
  }
}

/** As the journal keeps it: only what there is. */
function noteOf({ calledAs, drift = [] }: Partial<NonNullable<Understood["oddities"]>> = {}): Record<string, unknown> {
  return { ...(calledAs === undefined ? {} : { calledAs }), ...(drift.length === 0 ? {} : { drift }) };
}

/** The kinds of credentials that this channel is not told; never the text. */
function noteOfScrubbed({ chosen }: Selection, name: string): { scrubbed?: readonly string[] } {
  const { scrubbed = [] } = chosen.find(({ channel }) => channel.name === name) ?? {};
  return scrubbed.length === 0 ? {} : { scrubbed };
}
