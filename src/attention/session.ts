// What is known of a session between its events: the running turn, its helpers, and what still waits for the person.
import type { AgentEvent } from "../model/event.ts";
import { printableLine } from "../model/text.ts";

/** Something that the person has not reacted to yet. */
export interface OpenEvent {
  /** The event's id. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  name: string;
  /** The start of what the agent said. */
  words?: string | undefined;
}

/** Times are milliseconds since the epoch. */
export interface SessionState {
  lastSeenAt: number;
  /** When the running turn began; absent between turns. */
  turnStartedAt?: number | undefined;
  /** The agent's own name for the running turn. */
  turn?: string | undefined;
  /** Helpers (sub-agents) that ran when the agent last said how many. */
  helpers?: { running: number; at: number } | undefined;
  /** When a tool began that has not ended yet. */
  toolStartedAt?: number | undefined;
  /** Oldest first. */
  open?: OpenEvent[] | undefined;
  /** Events that were open and are not any more, and how long they were; oldest first. */
  closed?: { id: string; afterMs: number }[] | undefined;
}

const maxOpen = 16;
const maxClosed = 64;
const maxWords = 200;

/** Notifications that ask for nothing: the agent goes on by itself, or the person has just done something. */
const informative: ReadonlySet<string> = new Set([
  "auth_success",
  "agent_completed",
  "shell_completed",
  "shell_detached_completed",
  "elicitation_complete",
  "elicitation_response",
]);

/** Whether the session waits for the person: a permission, a question, the next prompt. */
export function isQuestion({ name, notificationType = "" }: Pick<AgentEvent, "name" | "notificationType">): boolean {
  return name === "PermissionRequest" || (name === "Notification" && !informative.has(notificationType));
}

const turnEnds: ReadonlySet<string> = new Set(["Stop", "StopFailure", "SessionEnd"]);
const toolEvents: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** Whether the event shows that the session no longer waits for an answer. */
function isSignOfLife(event: AgentEvent): boolean {
  if (event.isAnswer === true || event.name === "UserPromptSubmit" || event.name === "SessionStart") return true;
  // A helper's tool says nothing about the question that its parent asks.
  return turnEnds.has(event.name) || (toolEvents.has(event.name) && event.subagent === undefined);
}

/** Whether the event closes what has been open. Only the person closes a failure: a session may end right after it. */
export function closes(event: AgentEvent, { name }: Pick<OpenEvent, "name">): boolean {
  if (name === "Notification" || name === "PermissionRequest") return isSignOfLife(event);
  if (event.name === "UserPromptSubmit") return true;
  return name === "Stop" && (event.name === "Stop" || event.name === "StopFailure");
}

/** The session once this event is known. */
export function sessionAfter<Session extends SessionState>(session: Session, event: AgentEvent): Session {
  const at = Date.parse(event.at);
  const after: Session = { ...session, lastSeenAt: at, ...closedBy(session, event, at), ...turnAfter(session, event) };
  if (event.runningHelpers !== undefined) after.helpers = { running: event.runningHelpers, at };
  if (toolEvents.has(event.name) && event.subagent === undefined) {
    after.toolStartedAt = event.name === "PreToolUse" ? at : undefined;
  }
  return after;
}

function closedBy({ open = [], closed = [] }: SessionState, event: AgentEvent, at: number): Partial<SessionState> {
  const isClosed = (each: OpenEvent): boolean => closes(event, each);
  const still = open.filter((each) => !isClosed(each) && each.id !== event.id);
  const gone = open.filter(isClosed).map(({ id, at: openedAt }) => ({ id, afterMs: Math.max(0, at - openedAt) }));
  if (isQuestion(event) || turnEnds.has(event.name)) {
    const words = event.message === undefined ? undefined : printableLine(event.message).slice(0, maxWords);
    still.push({ id: event.id, at, name: event.name, words });
  }
  return { open: still.slice(-maxOpen), closed: [...closed, ...gone].slice(-maxClosed) };
}

function turnAfter(session: SessionState, event: AgentEvent): Partial<SessionState> {
  if (event.name === "UserPromptSubmit") {
    // Qwen Code repeats the prompt after an answered question.
    const goesOn = session.turnStartedAt !== undefined && event.turn !== undefined && event.turn === session.turn;
    return goesOn ? {} : { turnStartedAt: Date.parse(event.at), turn: event.turn };
  }
  return turnEnds.has(event.name) ? { turnStartedAt: undefined, turn: undefined, toolStartedAt: undefined } : {};
}
