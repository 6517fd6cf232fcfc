// Renders the message that a rule makes of an event.
import { agentName } from "../../agents/index.ts";
import { memberAt } from "../../jsonc/nodes.ts";
import { formatDuration, formatLocalMinute } from "../../model/figures/duration.ts";
import { type AgentEvent, isMarkdown } from "../../model/event.ts";
import { toldSession } from "../../model/own-events.ts";
import { sessionNameOf, shortFacts } from "../../sessions/names.ts";
import type { Message } from "../../model/message.ts";
import { bounded } from "../../model/rich-text/rich-text.ts";
import { lastPart } from "../../model/places/folder.ts";
import { cut, cutWords, printableLine } from "../../model/text.ts";
import { defaultText, type TextFacts } from "./default-text.ts";
import type { Rule } from "../rules.ts";
import type { Template, TemplateName } from "../schema/template.ts";

/** Characters; values are cut to this length before they are filled in. */
export const maxValueLength = 10_000;
/** Characters; every channel's own limit is far below. */
const maxTitleLength = 500;
/** Characters. */
const maxBodyLength = 20_000;

/** The message that a rule makes of an event. Nothing in it is escaped yet. */
export function renderMessage(
  rule: Pick<Rule, "level" | "title" | "body">,
  event: AgentEvent,
  {
    headline,
    payload,
    maxPayloadLength = maxValueLength,
  }: Pick<TextFacts, "headline" | "payload" | "maxPayloadLength">,
): Message {
  const facts: TextFacts = {
    event,
    level: rule.level ?? event.level,
    agentName: agentName(event.agent),
    headline,
    payload,
    maxPayloadLength,
  };
  const { project, ...standard } = defaultText(facts);
  const isOwn = rule.title !== undefined;
  const title = rule.title === undefined ? standard.title : renderTemplate(rule.title, facts);
  const usual = withoutRepeat(standard.body, title) || (isOwn ? withoutRepeat(standard.title, title) : "");
  const body = rule.body === undefined ? usual : renderTemplate(rule.body, facts);
  const isWithoutMessage = rule.body?.parts.every(
    (part) => typeof part === "string" || !("name" in part) || part.name !== "message",
  );
  const hasMarkdown = isMarkdown(event) && isWithoutMessage !== true;
  return {
    title: cutWords(title, maxTitleLength),
    ...(isOwn || project === undefined ? {} : { project }),
    body: hasMarkdown ? bounded(body, maxBodyLength) : cut(body, maxBodyLength),
    ...(hasMarkdown ? { isMarkdown: true } : {}),
    level: facts.level,
    fields: fieldsOf(facts).filter(({ value }) => !isSaid(value, title)),
  };
}

/** The body, unless the title says the same, behind the project or alone. */
function withoutRepeat(body: string, title: string): string {
  const [words = "", said = ""] = [body, title].map((text) => printableLine(text).replace(/[.!?]$/, ""));
  return said === words || said.endsWith(`: ${words}`) ? "" : body;
}

/** Whether a text has these words, and not only as part of others. */
function isSaid(words: string, text: string): boolean {
  const at = text.indexOf(words);
  if (at === -1) return false;
  return !/[\p{L}\p{N}_-]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}_-]/u.test(text.slice(at + words.length));
}

/** Values are inserted as they are; a missing one is an empty text. */
export function renderTemplate(template: Template, facts: TextFacts): string {
  return template.parts
    .map((part) => {
      if (typeof part === "string") return part;
      if ("name" in part) return cut(values[part.name](facts) ?? "", maxValueLength);
      return cut(textAt(facts.payload, part.payloadPath) ?? "", facts.maxPayloadLength ?? maxValueLength);
    })
    .join("");
}

const values: Record<TemplateName, (facts: TextFacts) => string | undefined> = {
  event: ({ event }) => event.name,
  headline: ({ event, headline }) => headline ?? event.name,
  agent: ({ agentName }) => agentName,
  session: ({ event }) => toldSession(event),
  project: ({ event }) => event.project,
  branch: ({ event }) => event.branch,
  worktree: ({ event }) => event.worktree,
  label: ({ event }) => event.label,
  folder: ({ event }) => lastPart(event.cwd),
  sessionName: ({ event }) => sessionNameOf(event),
  cwd: ({ event }) => event.cwd,
  host: ({ event }) => event.host,
  message: ({ event }) => event.message && bounded(event.message, maxValueLength),
  reason: ({ event }) => event.reason,
  title: ({ event }) => event.title,
  level: ({ level }) => level,
  duration: ({ event }) => durationOf(event),
  effort: ({ event }) => event.effort,
  link: ({ event }) => event.link,
  time: ({ event }) => localTime(event.at),
};

function durationOf(event: AgentEvent): string | undefined {
  return event.durationMs === undefined ? undefined : formatDuration(event.durationMs);
}

/** HH:MM in this machine's time zone. */
function localTime(at: string): string | undefined {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? undefined : formatLocalMinute(ms);
}

function textAt(payload: unknown, path: readonly string[]): string | undefined {
  const value = memberAt(payload, path);
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The context: what is not the same in all that hookbell knows, in the order of every message and list. */
function fieldsOf({ event, agentName }: TextFacts): Message["fields"] {
  const { branch, worktree, sessionName, sessionWords } = event;
  const [tree] = shortFacts({ branch, worktree });
  const [session] = shortFacts({ sessionName, sessionWords });
  const fields = [
    { label: "Label", value: event.label },
    { label: "Project", value: event.project },
    { label: branch === undefined ? "Work tree" : "Branch", value: tree },
    { label: "Session", value: session },
    { label: "Agent", value: event.isOnlyAgent === true ? undefined : agentName },
    { label: "Subagent", value: event.subagent },
    { label: "Host", value: event.isOnlyHost === true ? undefined : event.host },
    { label: "Duration", value: durationOf(event) },
  ];
  return fields.flatMap(({ label, value }) =>
    value === undefined || value === "" ? [] : [{ label, value: cut(value, 200) }],
  );
}
