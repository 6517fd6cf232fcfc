import type { AgentEvent } from "./event.ts";
import { cut } from "./text.ts";

/** How much of the agent's own words a channel passes on. */
export const contents = ["none", "summary", "full"] as const;
export type Content = (typeof contents)[number];

/** Code points of the agent's message in a summary: about as much as a phone shows. */
export const summaryLength = 300;

/** One word of an agent's program, such as `rate_limit`; a sentence, or a task's name, is a model's or a person's. */
const singleWord = /^[\w.:-]{1,60}$/;
/** Where agents may put words of a model; most put a single word of their own there. */
const wordFields = ["reason", "notificationType", "subagent", "agentEvent"] as const;

/** The event with no more of the agent's words than the channel may say. What happened, where and when always stays. */
export function limitContent(event: AgentEvent, content: Content): AgentEvent {
  if (content === "full") return event;
  const told = { ...event };
  if (content === "summary") {
    for (const field of ["message", "title", ...wordFields] as const) {
      if (told[field] !== undefined) told[field] = cut(told[field], summaryLength);
    }
    return told;
  }
  delete told.message;
  delete told.title;
  for (const field of wordFields) {
    if (told[field] !== undefined && !singleWord.test(told[field])) delete told[field];
  }
  return told;
}
