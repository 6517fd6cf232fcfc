import type { Level } from "../../../model/level.ts";
import type { AgentEvent } from "../../../model/event.ts";
import type { Message } from "../../../model/message.ts";
import { cut, printableLine } from "../../../model/text.ts";
import { bodyText, lineOfAll, shownFields } from "../../compose.ts";
import { sessionKey } from "../../session-message.ts";

/** https://developer.pagerduty.com/docs/send-alert-event, in characters. */
export const maxSummary = 1024;
/** Ours: source, component, group, class, and one of the details. */
export const maxName = 255;
/** Ours: far below the 512 KB that an event may have. */
export const maxDetails = 20_000;
/** Ours. */
export const maxFields = 50;

/** https://developer.pagerduty.com/docs/send-alert-event; without one, the session's incident is over. */
const severities: Readonly<Record<Level, "warning" | "error" | undefined>> = {
  info: undefined,
  success: undefined,
  attention: "warning",
  error: "error",
};

/** What is asked of PagerDuty: https://developer.pagerduty.com/docs/send-alert-event */
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

/** A session has one incident: what needs somebody opens it, and anything else says that the session has moved on. */
export function toPagerdutyEvent(message: Message, event: AgentEvent): PagerdutyEvent {
  const dedup_key = dedupKey(event);
  const severity = severities[message.level];
  if (severity === undefined) return { dedup_key, event_action: "resolve" };
  const name = (text: string): string => cut(printableLine(text), maxName);
  const body = bodyText(message);
  const facts = shownFields(message, maxFields).map(({ label, value }) => [name(label), name(value)]);
  const named = { component: name(event.project), group: name(event.agent), class: name(event.name) };
  return {
    dedup_key,
    event_action: "trigger",
    client: "hookbell",
    payload: {
      summary: cut(lineOfAll(message, event.name, maxSummary), maxSummary),
      source: name(event.host) || "hookbell",
      severity,
      timestamp: name(event.at),
      ...Object.fromEntries(Object.entries(named).filter(([, text]) => text !== "")),
      custom_details: {
        ...(Object.fromEntries(facts) as Record<string, string>),
        ...(body === "" ? {} : { message: cut(body, maxDetails) }),
      },
    },
  };
}

/** At most 255 characters; the same over all of a session, so that a repeat and the end find its incident. */
export function dedupKey(event: Pick<AgentEvent, "agent" | "session" | "id">): string {
  return `hookbell-${sessionKey(event)}`;
}
