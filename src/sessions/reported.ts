// A session of another machine: what its machine says of it, and what has happened since.
import type { AgentEvent } from "../model/event.ts";
import { type CallFacts, openedBy, withOpen } from "./signs.ts";
import type { OpenEvent, Session, State } from "./state.ts";

/** What another machine says of its session. The record gets whatever else there is, such as the branch. */
export type ToldSession = Pick<Session, "lastSeenAt" | "state"> & Partial<Session>;

/** An event may have happened so shortly before its machine said how the session is that it is not part of that. */
const unsettledMs = 1000;

/** The session's machine knows best, except of what has come since. `asking` gives open questions the say. */
export function sessionTold<S extends Session>(
  session: S,
  { at, session: told }: { at: number; session: ToldSession },
  asking: (session: Session, at: number, state: State) => State,
): S {
  // The session's machine has something newer to say, which is on its way.
  if (session.lastSeenAt > at) return session;
  const { state, open = [], closed = [] } = session;
  const toldAt = at - unsettledMs;
  const { open: asked = [], closed: ended = [] } = told;
  const isOpen = new Set(asked.map(({ id }) => id));
  const isEnded = new Set(ended.map(({ id }) => id));
  const isOver = ({ id, at: openedAt }: OpenEvent): boolean =>
    !isOpen.has(id) && (isEnded.has(id) || openedAt <= toldAt);
  const left = withOpen({ ...session, closed: closed.filter(({ id }) => !isEnded.has(id)) }, at, isOver);
  const news = ended.filter(({ id }) => left.closed?.every((each) => each.id !== id));
  const after: S = {
    ...session,
    ...told,
    lastSeenAt: Math.max(session.lastSeenAt, told.lastSeenAt),
    open: [
      ...asked.map((each) => ({ ...each, ...detailsIn(open, each.id) })),
      ...(left.open ?? []).filter(({ id }) => !isOpen.has(id)),
    ],
    closed: [...news, ...(left.closed ?? [])],
    toldAt,
  };
  return { ...after, state: asking(after, at, withSeen(state, told.state)) };
}

/** The person may have seen the end of the turn here. */
function withSeen(before: State, told: State): State {
  if (before.kind !== "done" || told.kind !== "done") return told;
  const isSameEnd = Math.abs(before.since - told.since) <= unsettledMs;
  return isSameEnd && before.isSeen ? { ...told, isSeen: true } : told;
}

/** What only this machine knows of an open event: its own file, the channels that it told, and the person's answer. */
function detailsIn(open: readonly OpenEvent[], id: string): Partial<OpenEvent> {
  const { position, channels, isAnswered, words } = open.find((each) => each.id === id) ?? {};
  return Object.fromEntries(
    Object.entries({ position, channels, isAnswered, words }).filter(([, value]) => value !== undefined),
  );
}

/** What its machine has said of the session includes the event. */
export function isTold({ toldAt, closed = [] }: Session, { id }: AgentEvent, at: number): boolean {
  return toldAt !== undefined && (at <= toldAt || closed.some((each) => each.id === id));
}

/** Only the event's details are new, since the machine has already told of its effect. */
export function withDetails<S extends Session>(session: S, event: AgentEvent, at: number, facts: CallFacts): S {
  const { position, words } = openedBy(event, at, facts, session.open) ?? {};
  const open = session.open?.map((each) => (each.id === event.id ? { ...each, position, words } : each));
  return { ...session, project: event.project, ...(open === undefined ? {} : { open }) };
}
