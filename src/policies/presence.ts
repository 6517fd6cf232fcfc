// Whether the person is where the rule wants them.
import { formatDuration } from "../model/figures/duration.ts";
import { isQuestion } from "../model/event.ts";
import { suppress, defer, type NotNow, type Candidate } from "./decision.ts";

/** An absent field is unknown, and then the person is told. */
export interface Presence {
  idleMs?: number | undefined;
  isLocked?: boolean | undefined;
  isFocused?: boolean | undefined;
}

export interface PresenceWish {
  /** `isWanted` false means that there was some input within that time. */
  away?: { afterMs: number; isWanted: boolean } | undefined;
  focused?: boolean | undefined;
  locked?: boolean | undefined;
}

/** After this long without input, the person looks elsewhere. */
const lookingMs = 60_000;
const minLookAgainMs = 15_000;
const maxLookAgainMs = 5 * 60_000;

/** `inMs`: until it is fulfilled, if the person does nothing. */
interface Unfulfilled {
  wish: keyof PresenceWish;
  why: string;
  inMs?: number;
  /** What it waits for. */
  until?: string;
}

function unfulfilledWishes(wish: PresenceWish, { idleMs, isLocked, isFocused }: Presence): Unfulfilled[] {
  const found: Unfulfilled[] = [];
  const { away, focused, locked } = wish;
  if (away !== undefined) {
    const isAway = isLocked === true || (idleMs === undefined ? undefined : idleMs >= away.afterMs);
    if (isAway === false && away.isWanted && idleMs !== undefined) {
      const until = `until you are away for ${formatDuration(away.afterMs)}`;
      found.push({ wish: "away", why: `last input ${formatDuration(idleMs)} ago`, inMs: away.afterMs - idleMs, until });
    }
    if (isAway === true && !away.isWanted) found.push({ wish: "away", why: "you are away" });
  }
  if (focused !== undefined && isFocused !== undefined) {
    const isLooking = isFocused && isLocked !== true && (idleMs === undefined || idleMs < lookingMs);
    if (isLooking && !focused) {
      const inMs = idleMs === undefined ? {} : { inMs: lookingMs - idleMs };
      const until = `until you leave it, or are away for ${formatDuration(lookingMs)}`;
      found.push({ wish: "focused", why: "terminal focused", ...inMs, until });
    }
    if (!isLooking && focused) found.push({ wish: "focused", why: "terminal not focused" });
  }
  if (locked !== undefined && isLocked !== undefined && isLocked !== locked) {
    found.push({ wish: "locked", why: locked ? "screen not locked" : "screen locked" });
  }
  return found;
}

/** Whether the decision depends on where the user is. */
export function wantsPresence({ away, focused, locked }: PresenceWish): boolean {
  return away !== undefined || focused !== undefined || locked !== undefined;
}

/** A question waits for the person; news only if they may have just left. */
export function presencePolicy(
  { event, since, expiresAt, escalatesAfterMs }: Candidate,
  wish: PresenceWish,
  presence: Presence | undefined,
  nowMs: number,
): NotNow | undefined {
  // If no answer has come, the person is not looking.
  if (presence === undefined || escalatesAfterMs !== undefined) return undefined;
  const found = unfulfilledWishes(wish, presence);
  const [first] = found;
  if (first === undefined) return undefined;
  const why = found.map((each) => each.why).join(", ");
  if (isQuestion(event)) {
    if (nowMs >= expiresAt) return suppress("presence", `${why}, until the message expired`);
    const lookAgainMs = Math.min(Math.max((nowMs - since) / 4, minLookAgainMs), maxLookAgainMs);
    const waits = found.map((each) => [each.why, each.until].filter(Boolean).join(", ")).join("; ");
    return defer("presence", nowMs + Math.min(lookAgainMs, ...found.map(({ inMs = lookAgainMs }) => inMs)), waits);
  }
  const hasLeftBefore = presence.idleMs !== undefined && presence.idleMs >= nowMs - since;
  const isOnlyAway = found.length === 1 && first.wish === "away";
  if (isOnlyAway && hasLeftBefore && first.inMs !== undefined)
    return defer("presence", nowMs + first.inMs, `${why}, ${first.until}`);
  return suppress("presence", why);
}

/** With input within this time, the person is at the computer. */
const presentMs = 2 * 60_000;

/** Unknown is away: then Claude Code pushes, as it does without hookbell. */
export function isAtComputer({ idleMs, isLocked }: Presence): boolean {
  return isLocked !== true && idleMs !== undefined && idleMs < presentMs;
}
