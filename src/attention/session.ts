// What is known of a session between its events.
import { type AgentEvent, isQuestion, wasQuestion } from "../model/event.ts";
import { preview } from "../model/privacy/scrub.ts";
import { cut, headAndTail } from "../model/text.ts";

/** The person has not reacted to it yet. */
export interface OpenEvent {
  id: string;
  at: number;
  name: string;
  /** A preview without credentials. */
  words?: string | undefined;
  /** The tool call that asks, with a digest of its input. */
  call?: { tool: string; input: string } | undefined;
  /** The channels that are told of it, or will be. */
  channels?: string[] | undefined;
}

/** Times are milliseconds since the epoch. */
export interface SessionState {
  project?: string | undefined;
  lastSeenAt: number;
  /** Absent between turns. */
  turnStartedAt?: number | undefined;
  /** Ends of turns since the person's last prompt. */
  stops?: number | undefined;
  turn?: string | undefined;
  runningHelpers?: { count: number; at: number } | undefined;
  /** What the agent asked in this turn. */
  requests?: { text: string; at: number }[] | undefined;
  /** Its parent; "unknown" where the agent does not say. */
  helperOf?: string | undefined;
  /** Helpers that are sessions and have not ended. */
  helpers?: { session: string; since: number }[] | undefined;
  toolStartedAt?: number | undefined;
  open?: OpenEvent[] | undefined;
  closed?: { id: string; afterMs: number }[] | undefined;
  /** The person's last act on one of its notifications, such as "clicked": they know, whether they answered or not. */
  acted?: { at: number; how: string; isAnswer?: boolean | undefined } | undefined;
}

const maxOpen = 16;
const maxClosed = 64;
const maxRequests = 5;

const turnEnds: ReadonlySet<string> = new Set(["Stop", "StopFailure", "SessionEnd"]);
const toolEvents: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

function isSignOfLife(event: AgentEvent): boolean {
  if (event.isAnswer === true || event.name === "UserPromptSubmit" || event.name === "SessionStart") return true;
  // The parent's question is still open.
  return turnEnds.has(event.name) || (toolEvents.has(event.name) && event.subagent === undefined);
}

/** Only the person closes a failure. */
export function closes(event: AgentEvent, { name }: Pick<OpenEvent, "name">): boolean {
  if (wasQuestion({ name })) return isSignOfLife(event);
  if (event.name === "UserPromptSubmit") return true;
  return name === "Stop" && (event.name === "Stop" || event.name === "StopFailure");
}

export function sessionAfter<Session extends SessionState>(session: Session, event: AgentEvent): Session {
  const at = Date.parse(event.at);
  const after: Session = {
    ...session,
    project: event.project,
    lastSeenAt: at,
    ...closedBy(session, event, at),
    ...turnAfter(session, event, at),
  };
  // Only a helper's SessionStart names its parent.
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
    // A command's end matters as much as its beginning.
    const words = said === undefined ? undefined : preview(said, event.request === undefined ? cut : headAndTail);
    still.push({ id: event.id, at, name: event.name, words });
  }
  return { open: still.slice(-maxOpen), closed: [...closed, ...gone].slice(-maxClosed) };
}

function turnAfter(session: SessionState, event: AgentEvent, at: number): Partial<SessionState> {
  if (event.name === "UserPromptSubmit") {
    // Qwen Code repeats the prompt after an answer.
    const goesOn = session.turnStartedAt !== undefined && event.turn !== undefined && event.turn === session.turn;
    return goesOn ? {} : { ...noTurn, stops: 0, turnStartedAt: at, turn: event.turn };
  }
  if (turnEnds.has(event.name)) return { ...noTurn, stops: (session.stops ?? 0) + 1 };
  if (event.request === undefined || event.name === "Notification") return {};
  return { requests: [...(session.requests ?? []), { text: event.request, at }].slice(-maxRequests) };
}

const noTurn = { turnStartedAt: undefined, turn: undefined, toolStartedAt: undefined, requests: undefined };

/** Undefined where nothing changes. */
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
