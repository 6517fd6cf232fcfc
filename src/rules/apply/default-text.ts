// Titles and bodies of messages for rules that define none.
import { notificationTypeOf } from "../../agents/dialect/notification-types.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { type AgentEvent, isReminder } from "../../model/event.ts";
import type { Level } from "../../model/level.ts";
import type { Message } from "../../model/message.ts";
import { placeOf } from "../../sessions/names.ts";
import { cut, endsInQuestion, headAndTail, oneLine, shortenMiddle } from "../../model/text.ts";

interface Wording {
  /** The title without the project. */
  says: string;
  /** What the title does not say. */
  body?: string | undefined;
  /** The body if it would be empty below a rule's own title. */
  filler: string;
}

interface DefaultText extends Pick<Message, "title" | "place"> {
  body: string;
  filler: string;
}

export function defaultText(facts: TextFacts): DefaultText {
  const { event } = facts;
  const { says, body = "", filler } = wordTitled(facts) ?? (wordings[event.name] ?? wordUnknown)(facts);
  const timed = /\b(?:is done|failed)$/.test(says) ? `${says}${lasting(event)}` : says;
  const place = placeOf(event);
  return place === "" ? { title: timed, body, filler } : { title: `${place}: ${timed}`, place, body, filler };
}

const wordings: Partial<Record<string, (facts: TextFacts) => Wording>> = Object.assign(Object.create(null), {
  Notification: wordNotification,
  PermissionRequest: wordPermission,
  Stop: ({ event, agentName }: TextFacts) => ({
    says: endsInQuestion(event.message ?? "") ? wordAsking(event, agentName) : `${agentName} is done`,
    body: event.message,
    filler: `${agentName} has finished${lasting(event)}.`,
  }),
  StopFailure: ({ event, agentName }: TextFacts) => ({
    says: `${agentName} was stopped by an error`,
    body: [sayReason(event.reason), event.message].filter(Boolean).join("\n"),
    filler: `${agentName} could not go on.`,
  }),
  LimitReached: ({ event, agentName }: TextFacts) => ({
    says: event.title ?? `${agentName} has reached a limit`,
    body: event.message,
    filler: `${agentName} waits until its limit resets.`,
  }),
  LimitReset: ({ event, agentName }: TextFacts) => ({
    says: event.title ?? `${agentName}'s limit has reset`,
    body: event.message ?? "Sessions that waited for it can go on.",
    filler: "Sessions that waited for it can go on.",
  }),
  SubagentStop: ({ event, agentName }: TextFacts) => ({
    says: event.subagent === undefined ? "a subagent is done" : `subagent ${shorten(event.subagent)} is done`,
    body: event.message,
    filler: `A subagent of ${agentName} has finished.`,
  }),
  SessionEnd: wordSessionEnd,
  SessionStart: ({ agentName }: TextFacts) => ({ says: `${agentName} has started`, filler: "A session has begun." }),
  UserPromptSubmit: ({ agentName }: TextFacts) => ({
    says: `${agentName} is at work`,
    filler: "You gave it a prompt.",
  }),
});

/** The turn is over, but its last words are a question. */
function wordAsking(event: AgentEvent, agentName: string): string {
  return event.durationMs === undefined ? `${agentName} is done and asks` : `${agentName} asks, done${lasting(event)}`;
}

/** The end of a turn with words of its own, such as those of `hookbell run`. */
function wordTitled({ event: { name, title, message } }: TextFacts): Wording | undefined {
  const isEnd = name === "Stop" || name === "StopFailure";
  return isEnd && title !== undefined ? { says: shorten(title), body: message, filler: shorten(title) } : undefined;
}

function wordUnknown({ event, agentName }: TextFacts): Wording {
  const says = event.title === undefined ? "" : shorten(event.title);
  return {
    says: says || shorten(event.name),
    body: event.message,
    filler: `${agentName} sent the event "${shorten(event.name)}".`,
  };
}

function wordNotification(facts: TextFacts): Wording {
  const { event, agentName } = facts;
  if (event.request !== undefined) return wordRequest(event.request, facts);
  const known = notificationTypeOf(event.notificationType, event.message)?.says(agentName);
  const given = event.title === undefined ? "" : shorten(event.title);
  const says = known ?? (given === "" ? `${agentName} needs you` : given);
  const isRepeat = isReminder(event) && /^.{1,60} is waiting for your input\.?$/.test(event.message ?? "");
  return { says, body: isRepeat ? "" : event.message, filler: `${agentName} asks for your attention.` };
}

function wordPermission(facts: TextFacts): Wording {
  const { event, agentName } = facts;
  if (event.request !== undefined) return wordRequest(event.request, facts);
  return {
    says: `${agentName} needs your permission`,
    body: event.message,
    filler: waitsFor(agentName),
  };
}

/** UTF-16 units of a title, which desktops and phones show on one line, and of a body. */
const maxRequestTitle = 80;
const maxRequestBody = 3000;

/** What the agent asks is the title; what does not fit there is in the body. */
function wordRequest(request: string, { agentName, payload, maxPayloadLength = Infinity }: TextFacts): Wording {
  const whole = oneLine(request);
  const [question, details] = whole.length <= maxRequestTitle ? [request, ""] : questionAndDetails(request);
  const line = oneLine(question);
  const says = shortenMiddle(line, maxRequestTitle);
  const why = descriptionIn(payload?.tool_input);
  const body = [
    headAndTail(says === line ? details : request, maxRequestBody),
    why === undefined ? "" : cut(why, maxPayloadLength),
    waitsFor(agentName),
  ];
  return { says, body: body.filter(Boolean).join("\n"), filler: "" };
}

function waitsFor(agentName: string): string {
  return `${agentName} waits for your answer.`;
}

/** The arguments of a call, or a plan, follow the line that asks. A mark inside code does not end a question. */
function questionAndDetails(request: string): [question: string, details: string] {
  const end = request.slice(0, maxRequestBody).indexOf("\n");
  const asks = end !== -1 && /^(?:[^`]|`[^`]*`)*\?$/.test(request.slice(0, end));
  return asks ? [request.slice(0, end), request.slice(end + 1)] : [request, ""];
}

/** The model's words about a tool call. */
function descriptionIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("description" in input)) return undefined;
  return typeof input.description === "string" && input.description !== "" ? input.description : undefined;
}

const reasons: Record<string, string> = {
  clear: "The conversation was cleared.",
  resume: "Another session was resumed.",
  logout: "You logged out.",
  prompt_input_exit: "It was closed at the prompt.",
  exit: "It was closed.",
  user_exit: "It was closed.",
  rate_limit: "The rate limit is reached.",
  overloaded: "The model's servers are overloaded.",
  authentication_failed: "The login was refused.",
  account_on_hold: "The account is on hold.",
  verification_required: "The account must be verified.",
  cloud_credential_error: "The cloud provider refused the credentials.",
  oauth_org_not_allowed: "The organisation does not allow this login.",
  billing_error: "There is a problem with the billing.",
  invalid_request: "The request was refused.",
  model_not_found: "The model was not found.",
  server_error: "The model's servers failed.",
  max_output_tokens: "The answer was too long.",
};

function sayReason(reason: string | undefined): string {
  if (reason === undefined || reason === "unknown" || reason === "other") return "";
  return (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? `Reason: ${shorten(reason)}.`;
}

function wordSessionEnd({ event, level, agentName }: TextFacts): Wording {
  const body = [sayReason(event.reason), event.message].filter(Boolean).join("\n");
  return {
    says: level === "error" ? `${agentName} ended with an error` : `${agentName}'s session has ended`,
    body,
    filler: "The session has ended.",
  };
}

function lasting(event: AgentEvent): string {
  return event.durationMs === undefined ? "" : ` after ${formatDuration(event.durationMs)}`;
}

function shorten(text: string): string {
  return cut(oneLine(text.slice(0, 1000)), 120);
}

export interface TextFacts {
  event: AgentEvent;
  level: Level;
  agentName: string;
  payload?: Readonly<Record<string, unknown>> | undefined;
  /** The limit of any one value of the payload, in code points. */
  maxPayloadLength?: number | undefined;
}
