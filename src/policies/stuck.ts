// A turn without any sign of work.
import { formatDuration } from "../model/figures/duration.ts";
import { turnOf, type Session } from "../sessions/state.ts";
import { suppress, defer, type NotNow, type Candidate } from "./decision.ts";

/** hookbell makes this event up when a turn begins, and sends it when the turn is stuck. */
export const stuckEventName = "Stuck";

const stuckIdEnd = "-stuck";

/** The id of the event for a turn that this event began. */
export function stuckIdOf(id: string): string {
  return `${id}${stuckIdEnd}`;
}

export function isStuckId(id: string): boolean {
  return id.endsWith(stuckIdEnd);
}

/** An absent sign is unknown; times are milliseconds since the epoch. */
export interface SignsOfWork {
  transcriptGrewAt?: number | undefined;
  lastBusyAt?: number | undefined;
  isGone?: boolean | undefined;
}

/** The event's time is the start of the turn. */
export function stuckPolicy(
  { event, since }: Candidate,
  afterMs: number | undefined,
  session: Session,
  { transcriptGrewAt = 0, lastBusyAt = 0, isGone }: SignsOfWork,
  nowMs: number,
): NotNow | undefined {
  if (event.name !== stuckEventName) return undefined;
  if (afterMs === undefined) return suppress("stuck", "no rule names the event Stuck any more");
  const { state, lastSeenAt } = session;
  // A process that has ended leaves its turn open.
  const turn = state.kind === "gone" ? state.turn : turnOf(session);
  if (turn?.startedAt !== Date.parse(event.at)) return suppress("stuck", "the turn is over");
  const lastSign = Math.min(nowMs, Math.max(since, lastSeenAt, transcriptGrewAt, lastBusyAt));
  const isSilent = nowMs - lastSign >= afterMs;
  if (isSilent && (isGone === true || state.kind === "gone")) return undefined;
  if (state.kind === "needsYou") return defer("stuck", nowMs + afterMs, "the session waits for an answer");
  if (turn.helpers > 0) return defer("stuck", nowMs + afterMs, "a subagent runs");
  if (turn.tool !== undefined) return defer("stuck", nowMs + afterMs, "a tool runs");
  if (isSilent) return undefined;
  return defer("stuck", lastSign + afterMs, `last sign of work ${formatDuration(nowMs - lastSign)} ago`);
}
