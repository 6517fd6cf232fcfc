import type { AgentEvent } from "./event.ts";
import { cut } from "./text.ts";

/** How much of the agent's own words a channel passes on. */
export const contents = ["none", "summary", "full"] as const;
export type Content = (typeof contents)[number];

/** Code points of the agent's message in a summary: about as much as a phone shows. */
export const summaryLength = 300;

/** The event with no more of the agent's words than the channel may say. What happened, where and when always stays. */
export function limitContent(event: AgentEvent, content: Content): AgentEvent {
  if (content === "full") return event;
  if (content === "summary") {
    return event.message === undefined ? event : { ...event, message: cut(event.message, summaryLength) };
  }
  const { message: _, title: __, ...rest } = event;
  return rest;
}
