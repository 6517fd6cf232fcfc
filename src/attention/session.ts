// What is known of a session between its events: the running turn, its helpers, and what still waits for the person.
import type { AgentEvent } from "../model/event.ts";
import { preview } from "../model/privacy/scrub.ts";

/** Something that the person has not reacted to yet. */
export interface OpenEvent {
  /** The event's id. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  name: string;
  /** The start of what the agent said, without credentials. */
  words?: string | undefined;
}

/** Times are milliseconds since the epoch. */
export interface SessionState {
  /** The project of its last event. */
  project?: string | undefined;
  lastSeenAt: number;
  /** When the running turn began; absent between turns. */
  turnStartedAt?: number | undefined;
  /** The agent's own name for the running turn. */
  turn?: string | undefined;
  /** Helpers (sub-agents) that ran when the agent last said how many. */
  runningHelpers?: { count: number; at: number } | undefined;
  /** What the agent asked in this turn, oldest first: a Notification that follows may not say it. */
  requests?: { text: string; at: number }[] | undefined;
  /** The session that started this one as a helper; "unknown" where the agent does not say which. */
  helperOf?: string | undefined;
  /** Sessions that this one started as helpers and that have not ended. */
  helpers?: { session: string; since: number }[] | undefined;
  /** When a tool began that has not ended yet. */
  toolStartedAt?: number | undefined;
  /** Oldest first. */
  open?: OpenEvent[] | undefined;
  /** Events that were open and are not any more, and how long they were; oldest first. */
  closed?: { id: string; afterMs: number }[] | undefined;
}

const maxOpen = 16;
const maxClosed = 64;
const maxRequests = 5;

const questions: ReadonlySet<string> = new Set(["PermissionRequest", "Notification"]);

/** Whether the session waits for the person: a permission, a question, the next prompt. A notification may only inform. */
export function isQuestion({ name, level }: Pick<AgentEvent, "name" | "level">): boolean {
  return questions.has(name) && level === "attention";
}

/** Of what is open, which only has what was a question. */
export function wasQuestion({ name }: Pick<OpenEvent, "name">): boolean {
  return questions.has(name);
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
  if (questions.has(name)) return isSignOfLife(event);
  if (event.name === "UserPromptSubmit") return true;
  return name === "Stop" && (event.name === "Stop" || event.name === "StopFailure");
}

/** The session once this event is known. */
export function sessionAfter<Session extends SessionState>(session: Session, event: AgentEvent): Session {
  const at = Date.parse(event.at);
  const after: Session = {
    ...session,
    project: event.project,
    lastSeenAt: at,
    ...closedBy(session, event, at),
    ...turnAfter(session, event, at),
  };
  // Only the helper's SessionStart names its parent.
  if (event.helperOf !== undefined && (event.helperOf !== "unknown" || session.helperOf === undefined)) {
    after.helperOf = event.helperOf;
  }
  if (event.runningHelpers !== undefined) after.runningHelpers = { count: event.runningHelpers, at };
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
    const said = event.request ?? event.message;
    const words = said === undefined ? undefined : preview(said);
    still.push({ id: event.id, at, name: event.name, words });
  }
  return { open: still.slice(-maxOpen), closed: [...closed, ...gone].slice(-maxClosed) };
}

function turnAfter(session: SessionState, event: AgentEvent, at: number): Partial<SessionState> {
  if (event.name === "UserPromptSubmit") {
    // Qwen Code repeats the prompt after an answered question.
    const goesOn = session.turnStartedAt !== undefined && event.turn !== undefined && event.turn === session.turn;
    return goesOn ? {} : { ...noTurn, turnStartedAt: at, turn: event.turn };
  }
  if (turnEnds.has(event.name)) return noTurn;
  if (event.request === undefined || event.name === "Notification") return {};
  return { requests: [...(session.requests ?? []), { text: event.request, at }].slice(-maxRequests) };
}

const noTurn = { turnStartedAt: undefined, turn: undefined, toolStartedAt: undefined, requests: undefined };

/** The session that started a helper, once the helper's event is known; undefined where nothing changes. */
export function parentAfter<Session extends SessionState>(parent: Session, event: AgentEvent): Session | undefined {
  const at = Date.parse(event.at);
  const { helpers = [] } = parent;
  const others = helpers.filter(({ session }) => session !== event.session);
  if (event.name === "SessionStart" && event.helperOf !== undefined) {
    const running = [...others, { session: event.session, since: at }];
    return { ...parent, helpers: running, runningHelpers: { count: running.length, at } };
  }
  if (!turnEnds.has(event.name) || others.length === helpers.length) return undefined;
  return { ...parent, helpers: others, runningHelpers: { count: others.length, at } };
}
