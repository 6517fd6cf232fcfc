// Whether the person is where the rule wants them: away, not looking at the terminal, behind a locked screen.
import { formatDuration } from "../model/figures/duration.ts";
import { isQuestion } from "./session.ts";
import { drop, hold, type Objection, type Weighed } from "./verdict.ts";

/** What is known of the person for one session; an absent field is unknown, and then the person is told. */
export interface Presence {
  /** Milliseconds since the last key press, click or touch. */
  idleMs?: number | undefined;
  isLocked?: boolean | undefined;
  /** Whether the session's terminal has the focus. */
  isFocused?: boolean | undefined;
}

/** What a rule wants; undefined wants nothing. */
export interface PresenceWish {
  /** No input for so long; with `isWanted` false, some input within that time. */
  away?: { afterMs: number; isWanted: boolean } | undefined;
  focused?: boolean | undefined;
  locked?: boolean | undefined;
}

/** A terminal with the focus is not looked at when there was no input for so long. */
const lookingMs = 60_000;
const minLookAgainMs = 15_000;
const maxLookAgainMs = 5 * 60_000;

/** A wish that is not fulfilled. `inMs`: how long until it is, if the person does nothing; undefined when only they can change it. */
interface Unfulfilled {
  wish: keyof PresenceWish;
  why: string;
  inMs?: number;
}

function unfulfilledWishes(wish: PresenceWish, { idleMs, isLocked, isFocused }: Presence): Unfulfilled[] {
  const found: Unfulfilled[] = [];
  const { away, focused, locked } = wish;
  if (away !== undefined) {
    const isAway = isLocked === true || (idleMs === undefined ? undefined : idleMs >= away.afterMs);
    if (isAway === false && away.isWanted && idleMs !== undefined) {
      found.push({ wish: "away", why: `last input ${formatDuration(idleMs)} ago`, inMs: away.afterMs - idleMs });
    }
    if (isAway === true && !away.isWanted) found.push({ wish: "away", why: "you are away" });
  }
  if (focused !== undefined && isFocused !== undefined) {
    const isLooking = isFocused && isLocked !== true && (idleMs === undefined || idleMs < lookingMs);
    if (isLooking && !focused) {
      const inMs = idleMs === undefined ? {} : { inMs: lookingMs - idleMs };
      found.push({ wish: "focused", why: "terminal focused", ...inMs });
    }
    if (!isLooking && focused) found.push({ wish: "focused", why: "terminal not focused" });
  }
  if (locked !== undefined && isLocked !== undefined && isLocked !== locked) {
    found.push({ wish: "locked", why: locked ? "screen not locked" : "screen locked" });
  }
  return found;
}

/**
 * A question waits until the person is where the rule wants them, or has answered. News waits only when the person may
 * have left just before it. `presence` is undefined where it was not asked for.
 */
export function objectPresence(
  { event, since, expiresAt, escalatesAfterMs }: Weighed,
  wish: PresenceWish,
  presence: Presence | undefined,
  nowMs: number,
): Objection | undefined {
  // No answer is proof enough that the person does not look.
  if (presence === undefined || escalatesAfterMs !== undefined) return undefined;
  const found = unfulfilledWishes(wish, presence);
  const [first] = found;
  if (first === undefined) return undefined;
  const why = found.map((each) => each.why).join(", ");
  if (isQuestion(event)) {
    if (nowMs >= expiresAt) return drop("presence", `${why}, until it was too old`);
    const lookAgainMs = Math.min(Math.max((nowMs - since) / 4, minLookAgainMs), maxLookAgainMs);
    return hold("presence", nowMs + Math.min(lookAgainMs, ...found.map(({ inMs = lookAgainMs }) => inMs)), why);
  }
  const hasLeftBefore = presence.idleMs !== undefined && presence.idleMs >= nowMs - since;
  const isOnlyAway = found.length === 1 && first.wish === "away";
  if (isOnlyAway && hasLeftBefore && first.inMs !== undefined) return hold("presence", nowMs + first.inMs, why);
  return drop("presence", why);
}
