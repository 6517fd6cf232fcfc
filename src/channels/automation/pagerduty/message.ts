// What PagerDuty is sent.
import type { AgentEvent } from "../../../model/event.ts";
import type { Level } from "../../../model/level.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import type { RichMessage } from "../../channel-type.ts";
import { fitBody, lineOfAll, shownFields } from "../../rendering/compose.ts";
import { sessionKey } from "../../session-message.ts";

/** https://developer.pagerduty.com/docs/send-alert-event, in characters. */
export const maxSummary = 1024;
/** hookbell's own limit. */
export const maxName = 255;
/** hookbell's own limit. */
export const maxDetails = 20_000;
export const maxFields = 50;

const severities: Readonly<Record<Level, "warning" | "error" | undefined>> = {
  info: undefined,
  success: undefined,
  attention: "warning",
  error: "error",
};

/** https://developer.pagerduty.com/docs/send-alert-event */
export function toPagerdutyEvent(message: RichMessage, event: AgentEvent) {
  const dedup_key = dedupKey(event);
  const severity = severities[message.level];
  if (severity === undefined) return { dedup_key, event_action: "resolve" };
  const name = (text: string): string => cut(printableLine(text), maxName);
  const body = fitBody(message, maxDetails, measures.codePoints);
  const facts = shownFields(message, maxFields).map(({ label, value }) => [name(label), name(value)]);
  const named = { component: name(event.project), group: name(event.agent), class: name(event.name) };
  return {
    dedup_key,
    event_action: "trigger",
    client: "hookbell",
    payload: {
      summary: lineOfAll(message, event.name, maxSummary),
      source: name(event.host) || "hookbell",
      severity,
      timestamp: name(event.at),
      ...Object.fromEntries(Object.entries(named).filter(([, text]) => text !== "")),
      custom_details: {
        ...(Object.fromEntries(facts) as Record<string, string>),
        ...(body === "" ? {} : { message: body }),
      },
    },
  };
}

/** The same for the whole session, whose incident it opens and ends. */
export function dedupKey(event: Pick<AgentEvent, "agent" | "session" | "id">): string {
  return `hookbell-${sessionKey(event)}`;
}
