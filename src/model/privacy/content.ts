// How much of the agent's own words a channel passes on.
import { type AgentEvent, type ChangedHook, isMarkdown } from "../event.ts";
import { isHookChanged } from "../own-events.ts";
import { cut, headAndTail, shortenMiddle } from "../text.ts";

export const contents = ["none", "summary", "full"] as const;
export type Content = (typeof contents)[number];

/** Code points; about what a phone shows. */
export const summaryLength = 300;

/** Such as `rate_limit`; anything longer may be prose. */
const singleWord = /^[\w.:-]{1,60}$/;
const wordFields = ["reason", "notificationType", "subagent", "agentEvent", "effort"] as const;

let summarise: ((text: string, limit: number) => string) | undefined;

/** Await it before `limitContent`: the Markdown parser is large. */
export async function loadSummaries(): Promise<void> {
  ({ summarise } = await import("../rich-text/summarise.ts"));
}

/** `isShort`: of hookbell's own words, the short ones. */
export function limitContent(event: AgentEvent, content: Content, isShort = false): AgentEvent {
  const told = { ...event };
  delete told.ownWords;
  const own = isHookChanged(event) && event.message !== undefined ? event.ownWords : undefined;
  if (own !== undefined && (isShort || content === "summary")) told.message = own.summary;
  if (content === "full") return told;
  if (content === "summary") {
    told.hooks &&= told.hooks.map((hook) => ({ ...hook, ...shortened(hook) }));
    for (const field of ["message", "title", ...wordFields] as const) {
      if (told[field] !== undefined) told[field] = cut(told[field], summaryLength);
    }
    told.request = limitRequest(told.request, content);
    if (isMarkdown(event)) told.message = summaryOf(event.message);
    return told;
  }
  delete told.message;
  delete told.request;
  delete told.title;
  delete told.sessionWords;
  delete told.figures;
  if (own !== undefined) told.message = cut(own.none, summaryLength);
  told.hooks &&= told.hooks.map(({ id, agent, kind, scope }) => ({ id, agent, kind, scope }));
  for (const field of wordFields) {
    if (told[field] !== undefined && !singleWord.test(told[field])) delete told[field];
  }
  return told;
}

/** A command's end matters as much as its beginning. */
export function limitRequest(request: string | undefined, content: Content): string | undefined {
  if (request === undefined || content === "none") return undefined;
  return content === "full" ? request : headAndTail(request, summaryLength);
}

/** A command's end matters here, too. */
function shortened({ command, before }: ChangedHook): Partial<ChangedHook> {
  const short = { command: command && shortenMiddle(command, summaryLength) };
  return before === undefined ? short : { ...short, before: shortenMiddle(before, summaryLength) };
}

function summaryOf(markdown: string): string {
  if (summarise === undefined) throw new Error("the parser for Markdown is not loaded");
  return summarise(markdown, summaryLength);
}
