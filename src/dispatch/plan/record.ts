// Puts an event on record, with the decision about it and the session's new state.
import { createWords } from "../../model/privacy/scrub-event.ts";
import { isVerification } from "../../model/own-events.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { writeSession } from "../../outbox/sessions.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { isStorageTrouble } from "../policy/storage-trouble.ts";
import type { PayloadPlan } from "./plan-payload.ts";

export function record({ layout, tools }: Dispatcher, plan: PayloadPlan): void {
  const { event, planned, selection, session, ignored, duplicateOf, wouldReach, oddities } = plan;
  const now = tools.clock.now();
  // The rules read what the agent said; the record is shown to others.
  const { event: scrubbed } = createWords(event, undefined)(true);
  writeJournal(layout, now, { kind: "event", event: scrubbed, ...noteOf(oddities) });
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
    why: ignored,
    duplicateOf,
    wouldReach,
  });
  if (isVerification(event.session)) return;
  try {
    writeSession(layout, session);
  } catch (error) {
    // The message matters more.
    if (!isStorageTrouble(error)) throw error;
  }
}

function noteOf({ calledAs, drift = [] }: Partial<NonNullable<PayloadPlan["oddities"]>> = {}): Record<string, unknown> {
  return { calledAs, drift: drift.length === 0 ? undefined : drift };
}

function noteOfScrubbed({ chosen }: Selection, name: string): { scrubbed?: readonly string[] } {
  const { scrubbed = [] } = chosen.find(({ channel }) => channel.name === name) ?? {};
  return scrubbed.length === 0 ? {} : { scrubbed };
}
