// What is recorded of an event, whether a payload or a command made it: the journal's lines and the session's new state.
import { severalWhy } from "../../policies/together.ts";
import { isToolCall, type AgentEvent } from "../../model/event.ts";
import { isTrial, isVerification } from "../../model/own-events.ts";
import { maskEvent } from "../../model/privacy/scrub-event.ts";
import type { DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import { writeJournal, type JournalEntry } from "../../outbox/journal.ts";
import { unlessStorageTrouble } from "../../outbox/layout.ts";
import { maskSession, writeSession } from "../../outbox/sessions.ts";
import { readLimit, writeLimit } from "../../outbox/shared/limits.ts";
import { noteSession } from "../coalescer/waiting-list.ts";
import { noteWaits, takeTokens } from "../decide/decide.ts";
import type { Clocked } from "../dispatcher.ts";
import type { Decided } from "./context.ts";

/** What is recorded of the decision about an event. */
type RecordedDecision = Pick<Decided, "event" | "selection"> &
  Partial<Pick<Decided, "suppressed" | "diagnostics" | "facts" | "trace">> & {
    planned: readonly (DeliveryFile & { scrubbed?: readonly string[] })[];
  };

type Recorded = RecordedDecision & Pick<Decided, "session"> & Partial<Pick<Decided, "parent" | "limit">>;

/** Records an event, the decision about it, and the session's new state. */
export function recordEvent({ layout, tools }: Clocked, plan: Recorded): void {
  const { event, parent, limit = [], planned } = plan;
  const session = maskSession(plan.session);
  recordDecision({ layout, tools }, plan);
  if (isTrial(event.session)) return;
  noteSession(layout, session);
  // The message matters more than its record.
  unlessStorageTrouble(() => {
    writeSession(layout, session);
    if (parent !== undefined) writeSession(layout, parent);
  });
  for (const each of limit) {
    recordDecision({ layout, tools }, { ...each, planned });
    const { agent } = each.event;
    unlessStorageTrouble(() => writeLimit(layout, agent, { ...readLimit(layout, agent), told: each.told }));
  }
}

/** Messages that are sent now count for the throttles. */
function recordDecision({ layout, tools }: Clocked, plan: RecordedDecision): void {
  const { event, selection, suppressed } = plan;
  if (suppressed?.by !== "frequency") writeJournal(layout, tools.clock.now(), ...entriesOf(plan));
  if (isVerification(event.session)) return;
  for (const { decision, rule, channel } of selection.chosen) {
    if (decision.action === "send") takeTokens({ layout, tools }, event, rule, channel);
    else noteWaits({ layout, tools }, event, channel, decision);
  }
}

function entriesOf(plan: RecordedDecision): Omit<JournalEntry, "at">[] {
  const { planned, suppressed, facts } = plan;
  const { calledAs, drift = [], isShortened } = plan.diagnostics ?? {};
  // The record is shown to others.
  const { event } = maskEvent(plan.event);
  const duplicateOf = suppressed?.by === "duplicate" ? suppressed.of : undefined;
  const entry = {
    kind: "event" as const,
    event: isToolCall(event.name) ? withoutWords(event) : event,
    ignored: suppressed?.why,
    duplicateOf,
    calledAs,
    drift: drift.length === 0 ? undefined : drift,
    isShortened,
    known: facts,
  };
  // Tool calls come in hundreds, so those that notify no one are only counted.
  const isOnlyCounted = isToolCall(event.name) && planned.length === 0 && suppressed === undefined;
  return isOnlyCounted ? [entry] : [entry, decisionOf(plan)];
}

/** A tool call's reason is what the tool wrote; its request is what ran. */
function withoutWords({ message: _, title: __, reason: ___, request: ____, ...event }: AgentEvent): AgentEvent {
  return event;
}

function decisionOf({ event, planned, selection, suppressed, trace }: RecordedDecision): Omit<JournalEntry, "at"> {
  return {
    kind: "decision",
    event: event.id,
    rules: selection.rules,
    deliveries: planned
      .filter(({ delivery }) => delivery.event.id === event.id)
      .map(({ delivery: { id, channel, rule, hold, joins, notBefore }, scrubbed = [] }) => ({
        id,
        channel,
        rule,
        ...(hold === undefined && joins && { silent: severalWhy(event) }),
        ...(hold && { by: hold.by, held: hold.why, until: new Date(notBefore).toISOString() }),
        ...(scrubbed.length > 0 && { scrubbed }),
      })),
    silent: selection.silent,
    trace,
    why: suppressed?.why,
    duplicateOf: suppressed?.by === "duplicate" ? suppressed.of : undefined,
    wouldReach: suppressed?.by === "verification" ? suppressed.wouldReach : undefined,
  };
}
