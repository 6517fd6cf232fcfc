// Where the person was, by what the journal recorded of each look.
import type { Presence } from "../../policies/presence.ts";
import type { AgentEvent } from "../../model/event.ts";
import { asObject } from "../../model/json.ts";

type Session = Pick<AgentEvent, "agent" | "session">;

/** As nothing tells where the person was, every message counts as wanted. */
const away: Presence = { idleMs: Infinity, isFocused: false };
const maxSessions = 1000;

interface Look {
  at: number;
  presence: Presence;
}

export interface Looks {
  /** Notes a look of the journal at this time. */
  note(session: Session, recorded: unknown, at: number): void;
  /** Since the last look, the person has done nothing, as far as is known. */
  presenceAt(session: Session, at: number): Presence;
  /** When the first look was recorded. */
  since(): number | undefined;
}

export function createLooks(): Looks {
  let last: Look | undefined;
  let first: number | undefined;
  /** Whether a terminal has the focus is known of the session that was asked about. */
  const bySession = new Map<string, Look>();
  const keyOf = ({ agent, session }: Session): string => `${agent}\n${session}`;
  return {
    note(session, recorded, at) {
      const presence = readPresence(recorded);
      if (presence === undefined) return;
      first ??= at;
      last = { at, presence };
      const key = keyOf(session);
      bySession.delete(key);
      bySession.set(key, last);
      const [oldest] = bySession.keys();
      if (bySession.size > maxSessions && oldest !== undefined) bySession.delete(oldest);
    },
    presenceAt(session, at) {
      if (last === undefined) return away;
      const { idleMs, isLocked } = last.presence;
      const { isFocused } = bySession.get(keyOf(session))?.presence ?? {};
      return { idleMs: idleMs === undefined ? undefined : idleMs + Math.max(0, at - last.at), isLocked, isFocused };
    },
    since: () => first,
  };
}

/** JSON has no infinity: it stands as null. */
function readPresence(recorded: unknown): Presence | undefined {
  const found = asObject(recorded);
  if (found === undefined) return undefined;
  const { idleMs, isLocked, isFocused } = found;
  const flag = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
  const idle = idleMs === null ? Infinity : typeof idleMs === "number" ? idleMs : undefined;
  return { idleMs: idle, isLocked: flag(isLocked), isFocused: flag(isFocused) };
}
