// What PagerDuty is sent.
import type { Level } from "../../../model/level.ts";
import type { AgentEvent } from "../../../model/event.ts";
import { cut, measures, printableLine } from "../../../model/text.ts";
import type { RichMessage } from "../../channel-type.ts";
import { fitBody, lineOfAll, shownFields } from "../../compose.ts";
import { sessionKey } from "../../session-message.ts";

/** https://developer.pagerduty.com/docs/send-alert-event, in characters. */
export const maxSummary = 1024;
/** Ours: source, component, group, class and each detail. */
export const maxName = 255;
/** Ours: far below the 512 KB of an event. */
export const maxDetails = 20_000;
export const maxFields = 50;

/** A level without a severity ends the session's incident. */
const severities: Readonly<Record<Level, "warning" | "error" | undefined>> = {
  info: undefined,
  success: undefined,
  attention: "warning",
  error: "error",
};

/** https://developer.pagerduty.com/docs/send-alert-event */
export type PagerdutyEvent = { dedup_key: string } & (
  | { event_action: "resolve" }
  | {
      event_action: "trigger";
      client: string;
      payload: {
        summary: string;
        source: string;
        severity: "warning" | "error";
        timestamp: string;
        component?: string;
        group?: string;
        class?: string;
        custom_details: Record<string, string>;
      };
    }
);

export function toPagerdutyEvent(message: RichMessage, event: AgentEvent): PagerdutyEvent {
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

/** At most 255 characters. The same for the whole session, so that a repeat and the end find its incident. */
export function dedupKey(event: Pick<AgentEvent, "agent" | "session" | "id">): string {
  return `hookbell-${sessionKey(event)}`;
}
