// What an event says of its session, whatever its agent calls it, and which events are open until then.
import { type AgentEvent, isQuestion, isReminder, wasQuestion } from "../model/event.ts";
import { preview, scrub } from "../model/privacy/scrub.ts";
import { headAndTail, printable } from "../model/text.ts";
import type { OpenEvent, Session } from "./state.ts";

export type Role =
  | "prompt"
  | "toolBegins"
  | "toolEnds"
  | "stop"
  | "failure"
  | "sessionEnd"
  | "sessionStart"
  | "helperBegins"
  | "helperEnds"
  | "interrupt"
  | "resumed"
  | "answer";

/** Every other event only says that the session lives. */
const roles: Readonly<Record<string, Role>> = {
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
  SubagentStart: "helperBegins",
  subagentStart: "helperBegins",
  SubagentStop: "helperEnds",
  Interrupt: "interrupt",
};

export function roleOf({ name, means, isAnswer, subagent, notificationType }: AgentEvent): Role | undefined {
  if (isAnswer === true) return "answer";
  if (means === "interrupted") return "interrupt";
  if (means === "resumed" || notificationType === "quota_auto_resume_fired") return "resumed";
  if (means === "compacted") return undefined;
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
  // A helper's tools say nothing of the question that its parent may have.
  return subagent !== undefined && (role === "toolBegins" || role === "toolEnds") ? undefined : role;
}

/** Parallel hooks may come in any order, but not later than this. After more, the clock was turned back. */
const lateMs = 2000;
const maxOpen = 16;
const maxClosed = 64;
/** UTF-16 units of a question; what is longer cannot be decided on from a list. */
const maxAsked = 4000;

export function isLate(at: number, than: number): boolean {
  return at < than && than - at <= lateMs;
}

/** Whether an event in this role ends what the other has told. Only the person closes a failure. */
export function closesInRole(role: Role | undefined, each: Pick<OpenEvent, "name" | "at">, at: number): boolean {
  if (role === "prompt") return true;
  if (wasQuestion(each)) {
    if (role === "toolBegins" || role === "toolEnds") return !isLate(at, each.at);
    return role !== undefined && role !== "helperBegins" && role !== "helperEnds" && role !== "resumed";
  }
  return each.name === "Stop" && (role === "stop" || role === "failure");
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

export function openedBy(event: AgentEvent, at: number): OpenEvent | undefined {
  const { id, name, request, message, means } = event;
  if (means !== undefined || !(isQuestion(event) || tellsOfEnd.has(name))) return undefined;
  const said = request ?? message;
  const asked = (text: string): string => headAndTail(printable(scrub(text).text), maxAsked);
  const words = said === undefined ? undefined : isQuestion(event) ? asked(said) : preview(said);
  return { id, at, name, words, ...(isReminder(event) ? { isReminder: true } : {}) };
}
