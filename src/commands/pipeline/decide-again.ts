// What the rules would do with an event of the journal, at a supposed time and with a supposed person; and a decision as JSON.
import { severalWhy } from "../../policies/together.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { decide } from "../../pipeline/pipeline.ts";
import { trackEvent } from "../../pipeline/event/track.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { ProjectFileReading } from "../../rules/project-file.ts";
import type { Supposed } from "./supposed.ts";

export interface EventDecision {
  event: AgentEvent;
  deliveries: readonly { delivery: Delivery; scrubbed: readonly string[] }[];
  selection: Selection;
  projectFile: ProjectFileReading | undefined;
}

/** The payload is not kept, so {payload.FIELD} is empty. `dispatcher` lives at the supposed time. */
export function decideAgain(
  dispatcher: Dispatcher,
  recorded: AgentEvent,
  { at, presence, turnStartedAt }: Supposed,
): EventDecision {
  const durationMs = turnStartedAt === undefined ? recorded.durationMs : at - turnStartedAt;
  const tracked = trackEvent(dispatcher, { ...recorded, at: new Date(at).toISOString(), durationMs }, { presence });
  const { event, planned, selection, projectFile } = decide(dispatcher, tracked);
  return { event, deliveries: planned, selection, projectFile };
}

export interface DecidedMessage {
  channel: string;
  title: string;
  body: string;
  isMarkdown: boolean | undefined;
  level: AgentEvent["level"];
  rule: string;
  /** When it would be sent, in ISO 8601, and why not at once. */
  at?: string;
  held?: string;
  /** Why it would be sent without a sound. */
  quiet?: string;
  /** The kinds of credentials that were removed. */
  scrubbed: readonly string[];
}

export function messagesOf({ deliveries }: Pick<EventDecision, "deliveries">): DecidedMessage[] {
  return deliveries.map(({ delivery, scrubbed }) => {
    const { channel, message, rule, hold, joins, notBefore } = delivery;
    const { title, body, isMarkdown, level } = message;
    const wait = hold && { at: new Date(notBefore).toISOString(), held: hold.why };
    const quiet = joins && { quiet: severalWhy(delivery.event) };
    return { channel, title, body, isMarkdown, level, rule, ...wait, ...(hold === undefined ? quiet : {}), scrubbed };
  });
}
