// Titles and bodies of messages for rules that define none: "PROJECT: what happened", then what to decide on or to know.
import { notificationTypeOf } from "../../agents/dialect/notification-types.ts";
import { subjectOf } from "../../agents/dialect/tool-line.ts";
import { columnsOf } from "../../model/rich-text/columns.ts";
import { type AgentEvent, hasAQuestion, isReminder } from "../../model/event.ts";
import type { Level } from "../../model/level.ts";
import type { Message } from "../../model/message.ts";
import { changedLaunch, ownHooksGone } from "../../model/own-events.ts";
import { cut, cutWords, headAndTail, oneLine, printableLine } from "../../model/text.ts";
import { objectOf, textOf } from "../../model/json.ts";

export interface TextFacts {
  event: AgentEvent;
  level: Level;
  agentName: string;
  /** That of the whole event: the channel may get less of it. */
  headline?: string | undefined;
  payload?: Readonly<Record<string, unknown>> | undefined;
  /** The limit of any one value of the payload, in code points. */
  maxPayloadLength?: number | undefined;
}

/** Columns; `PROJECT: KIND` then fits one line of a phone. */
const maxProject = 28;

export function defaultText(facts: TextFacts): Pick<Message, "title" | "project" | "body"> {
  const { event, agentName, headline } = facts;
  const project = cut(printableLine(event.project.slice(0, 1000)), maxProject, columnsOf);
  const says = ownTitle(event) ?? headline ?? shorten(event.name);
  const body = bodyOf(facts);
  if (project !== "") return { title: `${project}: ${says}`, project, body };
  return { title: says === headline ? `${agentName} ${says}` : says, body };
}

/** Events that hookbell has no words for have one, and ends of turns with words of their own, such as those of `hookbell run`. */
function ownTitle(event: AgentEvent): string | undefined {
  const { name, notificationType, message, title = "" } = event;
  const isEnd = name === "Stop" || name === "StopFailure";
  const isKnown = name === "Notification" ? notificationTypeOf(notificationType, message) : headlines.has(name);
  return event.headline !== undefined || (isKnown && !isEnd) ? undefined : shorten(title) || undefined;
}

/**
 * What happened, in a few words that are hookbell's own: they are true however little of the event a channel may pass on.
 * Undefined for an event that hookbell has no words for.
 */
export function headlineOf(event: AgentEvent, level: Level): string | undefined {
  return event.headline ?? headlines.get(event.name)?.(event, level);
}

/** Each belongs to a reason of the event; an entry that is new or has changed is named by its kind. */
const hookChanges: ReadonlyMap<string, string> = new Map([
  ["severalNew", "new programs"],
  ["severalChanged", "changed programs"],
  ["several", "new or changed programs"],
  ["rules", "its rules were changed, and not by hookbell"],
  ["baseline", "its list of hooks was rewritten"],
  ["script", "its hook script was changed"],
  [ownHooksGone, "its hooks were removed, and not by hookbell"],
]);

function hookChange({ reason = "", notificationType = "" }: AgentEvent): string {
  return hookChanges.get(reason) ?? changedLaunch(reason, notificationType);
}

const headlines = new Map<string, (event: AgentEvent, level: Level) => string>(
  Object.entries({
    Notification: ({ notificationType, message }) =>
      notificationTypeOf(notificationType, message)?.headline ?? "needs you",
    PermissionRequest: () => "asks for permission",
    Elicitation: () => hasAQuestion,
    Stop: () => "is done",
    StopFailure({ reason = "" }) {
      const why = Object.hasOwn(failures, reason) ? failures[reason]?.short : undefined;
      return why === undefined ? "failed" : `failed: ${why}`;
    },
    LimitReached: () => "is at its limit",
    LimitReset: () => "can go on",
    // The event's message says how long there was no sign of work.
    Stuck: () => "may be stuck",
    HookChanged: hookChange,
    SubagentStop: () => "subagent is done",
    SessionEnd: (_, level) => (level === "error" ? "session failed" : "session has ended"),
    SessionStart: () => "has started",
    UserPromptSubmit: () => "is at work",
  } satisfies Record<string, (event: AgentEvent, level: Level) => string>),
);

/** Why a turn failed: in the title, and as a sentence where the agent has no words for it. */
const failures: Readonly<Record<string, { short: string; sentence: string }>> = {
  rate_limit: { short: "rate limit", sentence: "The rate limit is reached." },
  overloaded: { short: "model overloaded", sentence: "The model's servers are overloaded." },
  authentication_failed: { short: "login refused", sentence: "The login was refused." },
  account_on_hold: { short: "account on hold", sentence: "The account is on hold." },
  verification_required: { short: "verify account", sentence: "The account must be verified." },
  cloud_credential_error: { short: "login refused", sentence: "The cloud provider refused the credentials." },
  oauth_org_not_allowed: { short: "login not allowed", sentence: "The organisation does not allow this login." },
  billing_error: { short: "billing problem", sentence: "There is a problem with the billing." },
  invalid_request: { short: "request refused", sentence: "The request was refused." },
  model_not_found: { short: "model not found", sentence: "The model was not found." },
  server_error: { short: "model failed", sentence: "The model's servers failed." },
  max_output_tokens: { short: "answer too long", sentence: "The answer was too long." },
};

/** How a session ended. */
const endings: Readonly<Record<string, string>> = {
  clear: "The conversation was cleared.",
  resume: "Another session was resumed.",
  logout: "You logged out.",
  prompt_input_exit: "It was closed at the prompt.",
  exit: "It was closed.",
  user_exit: "It was closed.",
};

function sayReason(reason: string | undefined): string {
  if (reason === undefined || reason === "unknown" || reason === "other") return "";
  if (Object.hasOwn(failures, reason)) return failures[reason]?.sentence ?? "";
  return (Object.hasOwn(endings, reason) ? endings[reason] : undefined) ?? `Reason: ${shorten(reason)}.`;
}

/** UTF-16 units. */
const maxRequest = 3000;

/** What to decide on or to know comes first: the command, the question, the plan, the agent's words, the error's. */
function bodyOf({ event, payload, maxPayloadLength = Infinity }: TextFacts): string {
  const { name, request, message, reason, title } = event;
  if (request !== undefined) {
    // The model's words about a tool call.
    const why = textOf(objectOf(payload?.tool_input).description);
    const subject = headAndTail(subjectOf({ ...event, request }), maxRequest);
    return [subject, why === undefined ? "" : cut(why, maxPayloadLength)].filter(Boolean).join("\n");
  }
  if (name === "StopFailure" || name === "SessionEnd") {
    return [message, isReasonSaid(event) ? "" : sayReason(reason)].filter(Boolean).join("\n");
  }
  // The server that asks through the agent.
  if (name === "Elicitation") return [message, title].filter(Boolean).join("\n");
  if (name === "Notification" && isRepeat(event)) return "";
  return message ?? "";
}

/** By the title, or by the error's own words. */
function isReasonSaid({ name, reason = "", title, message = "" }: AgentEvent): boolean {
  const isInTitle = name === "StopFailure" && title === undefined && Object.hasOwn(failures, reason);
  return message !== "" && (isInTitle || message.includes(reason));
}

/** A reminder in the words that every agent uses for it. */
function isRepeat(event: AgentEvent): boolean {
  return isReminder(event) && /^.{1,60} is waiting for your input\.?$/.test(event.message ?? "");
}

function shorten(text: string): string {
  return cutWords(oneLine(text.slice(0, 1000)), 60);
}
