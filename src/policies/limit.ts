// A usage limit of an agent: told once for all its sessions when it is reached, and once when they can go on.
import { linesOfMany } from "../model/text.ts";
import { formatTime } from "../model/figures/wall-clock.ts";
import { placeOf, type SessionNames } from "../sessions/names.ts";
import type { State } from "../sessions/state.ts";
import { suppress, defer, type NotNow, type Candidate } from "./decision.ts";

export const limitReachedEventName = "LimitReached";
export const limitResetEventName = "LimitReset";

/** Messages name the reset to the minute. */
const sameResetMs = 60_000;
/** Limits without a time of reset are one if sessions reach them so soon after each other. */
const sameUnknownMs = 5 * 60_000;
/** Newer versions of Claude Code go on by themselves, which shows a moment after the reset. */
const goesOnWithinMs = 2 * 60_000;

type AtLimit = State & { kind: "waitsForLimit" };

/** The limit that an agent's sessions share, as it was told of. Times are milliseconds since the epoch. */
export interface AccountLimit {
  since: number;
  until?: number | undefined;
  /** The id of the event that told of it. */
  event: string;
  /** The channels that have heard of it. */
  channels: readonly string[];
}

/** Whether a session has reached the limit that another one has told of. */
export function isSameLimit(told: Pick<AccountLimit, "since" | "until">, reached: AtLimit): boolean {
  if (told.until === undefined) {
    return reached.until === undefined && Math.abs(reached.since - told.since) <= sameUnknownMs;
  }
  if (reached.until === undefined) return reached.since >= told.since && reached.since < told.until;
  return Math.abs(reached.until - told.until) <= sameResetMs;
}

/** The sessions of an agent when its limit resets. Times are milliseconds since the epoch. */
export interface LimitedSessions {
  /** These sessions wait until the person goes on. */
  waiting: readonly { project: string; names: SessionNames }[];
  /** A session has reached a limit since, which resets then. */
  nextReset?: number | undefined;
}

/** Whether a session at a limit waits for the reset of this one; the limit was reached at `reachedAt`. */
export function waitsForReset({ until }: AtLimit, resetAt: number): boolean {
  return until === undefined || until <= resetAt + sameResetMs;
}

/** When the session has reached a limit after this one, so that this reset lets no one go on. */
export function nextResetOf({ since, until }: AtLimit, reachedAt: number, resetAt: number): number | undefined {
  return until !== undefined && since > reachedAt && until > resetAt + sameResetMs ? until : undefined;
}

/** What a message about a limit goes by: that it is reached, or that it resets. */
export type AboutLimit =
  | { is: "reached"; told: AccountLimit | undefined }
  | { is: "reset"; limited?: LimitedSessions | undefined };

/** What has waited may be out of date. */
export function limitPolicy(
  { event, deferred }: Pick<Candidate, "event" | "deferred">,
  limit: AboutLimit | undefined,
  nowMs: number,
): NotNow | undefined {
  if (limit === undefined) return undefined;
  if (limit.is === "reset") return resetPolicy(Date.parse(event.at), limit.limited, nowMs);
  const { told } = limit;
  if (deferred === undefined || told === undefined) return undefined;
  const isOver = (told.until ?? Infinity) <= nowMs || told.event !== event.id;
  return isOver ? suppress("limit", "the limit has been reset") : undefined;
}

function resetPolicy(
  resetAt: number,
  { waiting, nextReset }: LimitedSessions = { waiting: [] },
  nowMs: number,
): NotNow | undefined {
  const lookAt = resetAt + goesOnWithinMs;
  if (nowMs < lookAt) return defer("limit", lookAt, `the limit resets at ${formatTime(resetAt, nowMs, undefined)}`);
  if (nextReset !== undefined) {
    return suppress("limit", `a session has reached a limit again, until ${formatTime(nextReset, nowMs, undefined)}`);
  }
  return waiting.length === 0 ? suppress("limit", "no session waits for it any more") : undefined;
}

const maxLines = 9;

export function limitResetMessage({ waiting }: Pick<LimitedSessions, "waiting">): string {
  const places = waiting.map(({ project, names }) => placeOf({ project, ...names }));
  const [first = ""] = places;
  if (places.length === 1) return `${first} can go on.`;
  return `${places.length} sessions can go on:\n${linesOfMany(places, maxLines, "more")}`;
}
