// What an event says of its session, whatever its agent calls it, and which events are open until then.
import { type AgentEvent, isQuestion, isReminder, remindsOf, wasQuestion } from "../model/event.ts";
import { scrub } from "../model/privacy/scrub.ts";
import { headAndTail, lineOfMarkdown, printable, shortenMiddle } from "../model/text.ts";
import { asksStill, type OpenEvent, type Session } from "./state.ts";

export type EventRole =
  | "prompt"
  | "toolBegins"
  | "toolEnds"
  | "stop"
  | "failure"
  | "sessionEnd"
  | "sessionStart"
  | "subagentBegins"
  | "subagentEnds"
  | "interrupt"
  | "resumed"
  | "answer";

/** Every other event only says that the session lives. */
const roles: Readonly<Record<string, EventRole>> = {
  UserPromptSubmit: "prompt",
  PreToolUse: "toolBegins",
  preToolUse: "toolBegins",
  BeforeTool: "toolBegins",
  PostToolUse: "toolEnds",
  postToolUse: "toolEnds",
  PostToolUseFailure: "toolEnds",
  postToolUseFailure: "toolEnds",
  afterShellExecution: "toolEnds",
  afterMCPExecution: "toolEnds",
  afterFileEdit: "toolEnds",
  Stop: "stop",
  StopFailure: "failure",
  SessionEnd: "sessionEnd",
  SessionStart: "sessionStart",
  SubagentStart: "subagentBegins",
  subagentStart: "subagentBegins",
  SubagentStop: "subagentEnds",
  Interrupt: "interrupt",
};

function plainRoleOf({ name, means, isAnswer, notificationType }: AgentEvent): EventRole | undefined {
  if (isAnswer === true) return "answer";
  if (means === "interrupted") return "interrupt";
  // After its last subagent, such an agent goes on at once.
  if (means === "resumed" && name === "SubagentStop") return "subagentEnds";
  if (means === "resumed" || notificationType === "quota_auto_resume_fired") return "resumed";
  if (means === "compacted" || means === "elsewhere") return undefined;
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

export function roleOf(event: AgentEvent): EventRole | undefined {
  const role = plainRoleOf(event);
  // A subagent's tools say nothing of its parent's turn.
  return event.subagent !== undefined && (role === "toolBegins" || role === "toolEnds") ? undefined : role;
}

/** What a payload says of the tool call that its event is about. */
export interface CallFacts extends Pick<OpenEvent, "call" | "question" | "transcript" | "helper" | "position"> {
  /** Milliseconds since the epoch; undefined if the agent does not say how long the call took. */
  begunAt?: number | undefined;
  /** The transcript of the subagent that begins, if it will tell of its end. */
  subagentTranscript?: string | undefined;
}

/** Parallel hooks may come in any order, but not later than this. A larger gap means that the clock was turned back. */
const lateMs = 2000;
const maxOpen = 16;
const maxClosed = 64;
/** UTF-16 units of a question; what is longer cannot be decided on from a list. */
const maxAsked = 4000;
/** UTF-16 units of an agent's last message: it often begins with what was done, and ends with what is left to do. */
const maxSaid = 160;

export function isLate(at: number, than: number): boolean {
  return at < than && than - at <= lateMs;
}

/** Whether the event ends what the other has told. Only the person closes a failure. */
export function closes(event: AgentEvent, facts: CallFacts, each: OpenEvent): boolean {
  const role = plainRoleOf(event);
  const at = Date.parse(event.at);
  if (role === "prompt") return true;
  if (!wasQuestion(each)) return each.name === "Stop" && /^(?:stop|failure|interrupt)$/.test(role ?? "");
  const isOfSame = each.helper === (facts.helper ?? event.subagent);
  switch (role) {
    case "toolBegins":
      return isOfSame && !isLate(at, each.at) && !runsBeside({ ...facts, begunAt: at }, each);
    case "toolEnds":
      return isOfSame && !isLate(at, each.at) && !runsBeside(facts, each);
    case "stop":
    case "failure":
      return isOfSame;
    case "subagentEnds":
      return isOfSame && each.helper !== undefined;
    case "answer":
      return facts.question === undefined || each.question === undefined || facts.question === each.question;
    case undefined:
      return isNextQuestion(event, each);
    default:
      return role !== "subagentBegins" && role !== "resumed";
  }
}

/** The form of an MCP server comes once its tool may run. */
function isNextQuestion({ notificationType, name }: AgentEvent, { call }: OpenEvent): boolean {
  const isForm = name === "Elicitation" || /^elicitation_(?:url_)?dialog$/.test(notificationType ?? "");
  return isForm && call?.tool.startsWith("mcp__") === true;
}

/** Another call, which has begun before the person can have answered, runs beside the one that asks. */
function runsBeside({ call, begunAt = Infinity }: CallFacts, each: OpenEvent): boolean {
  const isOther = call?.tool !== each.call?.tool || call?.input !== each.call?.input;
  return call !== undefined && each.call !== undefined && isOther && begunAt <= each.at + lateMs;
}

export function withOpen(
  { open = [], closed = [], lastSeenAt }: Session,
  at: number,
  isClosed: (each: OpenEvent) => boolean,
  opened?: OpenEvent,
): Pick<Session, "lastSeenAt" | "open" | "closed"> {
  const still = open.filter((each) => !isClosed(each) && each.id !== opened?.id);
  const gone = open.filter(isClosed).map(({ id, at: openedAt }) => ({ id, afterMs: Math.max(0, at - openedAt) }));
  return {
    lastSeenAt: Math.max(lastSeenAt, at),
    open: [...still, ...(opened === undefined ? [] : [opened])].slice(-maxOpen),
    closed: [...closed, ...gone].slice(-maxClosed),
  };
}

export const tellsOfEnd: ReadonlySet<string> = new Set(["Stop", "StopFailure", "SessionEnd"]);

export function openedBy(
  event: AgentEvent,
  at: number,
  { call, question, transcript, helper = event.subagent, position }: CallFacts,
  open: readonly OpenEvent[] = [],
): OpenEvent | undefined {
  const { id, name, request, message, means } = event;
  if (means !== undefined || !(isQuestion(event) || tellsOfEnd.has(name))) return undefined;
  const said = request ?? message;
  const asked = (text: string): string => headAndTail(printable(scrub(text).text), maxAsked);
  const words = said === undefined ? undefined : isQuestion(event) ? asked(said) : lastWords(said);
  // A later question without a call, such as a Notification, repeats the one before.
  const repeated = call === undefined ? open.findLast((each) => each.call !== undefined) : undefined;
  const names = remindsOf(event);
  const reminded = open.findLast((each) => asksStill(each) && names.includes(each.name));
  const asker = { call: call ?? repeated?.call, helper: helper ?? repeated?.helper, question, transcript, position };
  return {
    id,
    at,
    name,
    words,
    ...asker,
    ...((isReminder(event) || reminded !== undefined) && { isReminder: true }),
    ...(reminded !== undefined && { reminds: reminded.id }),
    ...(event.isReviewed && { isReviewed: true }),
  };
}

function lastWords(message: string): string | undefined {
  const line = lineOfMarkdown(scrub(message).text);
  return line === "" ? undefined : shortenMiddle(line, maxSaid, 1 / 2);
}
