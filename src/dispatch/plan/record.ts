// Records an event, the decision about it, and the session's new state.
import { severalWhy } from "../../attention/throttle.ts";
import { preview } from "../../model/privacy/scrub.ts";
import { createWords } from "../../model/privacy/scrub-event.ts";
import { isVerification } from "../../model/own-events.ts";
import { isToolCall, type AgentEvent } from "../../model/event.ts";
import type { DeliveryFile } from "../../outbox/deliveries.ts";
import { writeJournal, type JournalEntry } from "../../outbox/journal.ts";
import { writeSession } from "../../outbox/sessions.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isStorageTrouble } from "../policy/retry-timing.ts";
import type { Known } from "../understand/known.ts";
import { takeTokens } from "./hold-back.ts";
import { noteSession } from "./waiting-list.ts";
import type { PayloadPlan } from "./plan-payload.ts";

/** What is recorded of an event, whether a payload or a command made it. */
export type Recorded = Pick<PayloadPlan, "event" | "words" | "selection" | "session"> &
  Partial<Pick<PayloadPlan, "parent" | "silence" | "oddities" | "known" | "beside">> & {
    planned: readonly DeliveryFile[];
  };

export function record({ layout, tools }: Pick<Dispatcher, "layout" | "tools">, plan: Recorded): void {
  const now = tools.clock.now();
  if (plan.silence?.by !== "frequency") writeJournal(layout, now, ...entriesOf(plan));
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
  for (const each of plan.beside ?? []) record({ layout, tools }, { ...each, planned: plan.planned });
}

function entriesOf(plan: Recorded): Omit<JournalEntry, "at">[] {
  const { event, words, planned, silence, oddities, known = {} } = plan;
  // The record is shown to others.
  const { event: scrubbed } = isToolCall(event.name) ? createWords(withoutWords(event), undefined)(true) : words(true);
  const duplicateOf = silence?.by === "duplicate" ? silence.of : undefined;
  const entry = {
    kind: "event" as const,
    event: scrubbed,
    ignored: silence?.why,
    duplicateOf,
    ...noteOf(oddities),
    known: withoutCredentials(known),
  };
  // Tool calls come in hundreds.
  const isOnlyCounted = isToolCall(event.name) && planned.length === 0 && silence === undefined;
  return isOnlyCounted ? [entry] : [entry, decisionOf(plan)];
}

/** A payload may hold anything where an agent writes an id. */
function withoutCredentials({ wiredBy, call, ...known }: Known): Known {
  const word = (text: string | undefined): string | undefined => (text === undefined ? undefined : preview(text));
  const { call: tool, begunAt, helper, question } = call ?? {};
  return {
    ...known,
    wiredBy: word(wiredBy),
    call: call && {
      call: tool && { ...tool, tool: preview(tool.tool) },
      begunAt,
      helper: word(helper),
      question: word(question),
    },
  };
}

/** A tool call's reason is what the tool wrote; its request is what ran. */
function withoutWords({ message: _, title: __, reason: ___, request: ____, ...event }: AgentEvent): AgentEvent {
  return event;
}

function decisionOf({ event, planned, selection, silence }: Recorded): Omit<JournalEntry, "at"> {
  return {
    kind: "decision",
    event: event.id,
    rules: selection.rules,
    deliveries: planned
      .filter(({ delivery }) => delivery.event.id === event.id)
      .map(({ delivery: { id, channel, rule, hold, joins, notBefore } }) => ({
        id,
        channel,
        rule,
        ...(hold === undefined && joins && { silent: severalWhy }),
        ...(hold && { by: hold.by, held: hold.why, until: new Date(notBefore).toISOString() }),
        ...noteOfScrubbed(selection, channel),
      })),
    silent: selection.silent,
    why: silence?.why,
    duplicateOf: silence?.by === "duplicate" ? silence.of : undefined,
    wouldReach: silence?.by === "verification" ? silence.wouldReach : undefined,
  };
}

function noteOf({ calledAs, drift = [], isShortened }: Partial<PayloadPlan["oddities"]> = {}): Record<string, unknown> {
  return { calledAs, drift: drift.length === 0 ? undefined : drift, isShortened };
}

function noteOfScrubbed({ chosen }: Selection, name: string): { scrubbed?: readonly string[] } {
  const { scrubbed = [] } = chosen.find(({ channel }) => channel.name === name) ?? {};
  return scrubbed.length === 0 ? {} : { scrubbed };
}
