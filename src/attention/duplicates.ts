// Whether an event has been told already: by another hook of the same agent, or in other words by the agent itself.
import type { AgentEvent } from "../model/event.ts";
import { cut } from "../model/text.ts";
import { sha256 } from "../system/crypto.ts";

/** Two hooks for one event run side by side; a slow machine takes its time over the second. */
const otherHookMs = 10_000;
/** Droid and Gemini CLI report the end of a session two or three times within 250 ms. */
const sessionEndMs = 2000;
/** Claude Code reports a permission prompt six seconds after it has asked its hooks for the permission. */
const permissionMs = 15_000;
/** Agents report that they are idle up to a minute after the end of the turn; a busy machine or a sleep makes it later. */
const idleMs = 10 * 60_000;
/** Copilot CLI reports an error, and then that the session ended by it. */
const endByErrorMs = 10_000;
/** Hooks that run side by side are taken in in any order. What lies further ahead was written before the clock was turned back. */
const aheadMs = 1000;
const longestMs = Math.max(otherHookMs, sessionEndMs, permissionMs, idleMs, endByErrorMs);
/** A storm of events pushes out what came before it, and then something is told twice. */
const maxSeen = 32;
/** An event's name is untrusted and may have any length. */
const maxWordLength = 100;

/** An event that was told; kept in the session's record. */
export interface SeenEvent {
  id: string;
  /** When the hook received it, in milliseconds since the epoch. */
  at: number;
  name: string;
  /** A digest of what makes it this event and no other. */
  key: string;
  /** By each way that it came: the id that it came under. */
  ways: Record<string, string>;
  /** Channels that have told it, or will. */
  channels: string[];
}

export interface Arrival {
  event: AgentEvent;
  /** How it came: by which `--agent` and `--by`, and under which name of the agent's own. */
  way: string;
  /** Channels that the rules chose for it. */
  channels: readonly string[];
  /** Whether no rule that chose it would hold if nothing had broken. */
  isToldAsError: boolean;
  /** Whether the session's id stands for one session of an agent whose habits are known. */
  isOneSession: boolean;
}

/** The event that this one only repeats, and why it does. */
export interface Duplicate {
  of: string;
  why: string;
}

/**
 * `recent` is what the session has to remember. An event is no duplicate when it would reach a channel that the first one
 * did not, nor when an equal one came the same way, except for the habits of known agents.
 */
export function detectDuplicate(
  seen: readonly SeenEvent[],
  arrival: Arrival,
): { duplicate: Duplicate | undefined; recent: SeenEvent[] } {
  const { event, channels } = arrival;
  const at = Date.parse(event.at);
  const recent = seen.filter((each) => isWithin(at - each.at, longestMs));
  const own: SeenEvent = {
    id: event.id,
    at,
    name: cut(event.name, maxWordLength),
    key: digestOf(event),
    ways: { [cut(arrival.way, maxWordLength)]: event.id },
    channels: [...channels],
  };
  // After a crash its payload is taken in again.
  if (recent.some(({ id }) => id === event.id)) {
    return {
      duplicate: undefined,
      recent: recent.map((each) => (each.id === event.id ? { ...each, channels: own.channels } : each)),
    };
  }
  const found = findTwin(recent, own, arrival) ?? (arrival.isOneSession ? findHabit(recent, own, arrival) : undefined);
  if (found === undefined) {
    return { duplicate: undefined, recent: beginsAnew.has(event.name) ? [own] : [...recent, own].slice(-maxSeen) };
  }
  const { first, why, isTwin } = found;
  const withWay = { ...first, ways: { ...first.ways, ...own.ways } };
  return {
    duplicate: { of: first.id, why },
    recent: isTwin ? recent.map((each) => (each === first ? withWay : each)) : recent,
  };
}

/** Once it is known which channels really tell the event. */
export function withChannels(recent: readonly SeenEvent[], eventId: string, channels: readonly string[]): SeenEvent[] {
  return recent.map((each) => (each.id === eventId ? { ...each, channels: [...channels] } : each));
}

/** What came before these has nothing to do with what comes after them. */
const beginsAnew: ReadonlySet<string> = new Set(["UserPromptSubmit", "SessionStart"]);

interface Found {
  first: SeenEvent;
  why: string;
  isTwin: boolean;
}

/** One event by two hooks. Each report by the one stands for one report by the other. */
function findTwin(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, isOneSession, channels }: Arrival,
): Found | undefined {
  // Two sessions in one folder look the same when neither says a word.
  if (!isOneSession && event.message === undefined) return undefined;
  const [way = ""] = Object.keys(own.ways);
  const first = recent.find(
    (each) =>
      each.key === own.key &&
      isWithin(own.at - each.at, otherHookMs) &&
      (each.ways[way] === undefined || each.ways[way] === own.id) &&
      hasHeard(each, channels),
  );
  return first && { first, isTwin: true, why: `the same event as ${first.id}, which came by another hook` };
}

/** What known agents report again in other words, or more than once. */
interface Habit {
  isRepeat(event: AgentEvent): boolean;
  /** The event that it repeats. */
  isFirst(first: SeenEvent, own: SeenEvent): boolean;
  withinMs: number;
  /** Whether nothing may have come in between. */
  isNext: boolean;
  /** Whether a rule that wants such events even when nothing broke gets them all. */
  isOnlyAsError?: true;
  what: string;
}

const habits: readonly Habit[] = [
  {
    isRepeat: ({ name }) => name === "SessionEnd",
    isFirst: (first, own) => first.key === own.key,
    withinMs: sessionEndMs,
    isNext: true,
    what: "the end of the session was told already",
  },
  {
    isRepeat: ({ name, reason = "" }) => name === "SessionEnd" && /error|fail|crash/i.test(reason),
    isFirst: ({ name }) => name === "StopFailure",
    withinMs: endByErrorMs,
    isNext: true,
    isOnlyAsError: true,
    what: "the error that ended the session was told already",
  },
  {
    isRepeat: ({ name, notificationType }) => name === "Notification" && notificationType === "idle_prompt",
    isFirst: ({ name }) => name === "Stop" || name === "StopFailure",
    withinMs: idleMs,
    isNext: false,
    what: "the end of the turn that it waits after was told already",
  },
  {
    isRepeat: ({ name, notificationType }) => name === "Notification" && notificationType === "permission_prompt",
    isFirst: ({ name }) => name === "PermissionRequest",
    withinMs: permissionMs,
    isNext: false,
    what: "the permission that it asks for was told already",
  },
];

function findHabit(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, channels, isToldAsError }: Arrival,
): Found | undefined {
  for (const { isRepeat, isFirst, withinMs, isNext, isOnlyAsError, what } of habits) {
    if (!isRepeat(event) || (isOnlyAsError === true && !isToldAsError)) continue;
    const candidates = isNext ? recent.slice(-1) : recent;
    const first = candidates.findLast((each) => isFirst(each, own) && hasHeard(each, channels));
    if (first !== undefined && isWithin(own.at - first.at, withinMs)) {
      return { first, isTwin: false, why: `${what}: ${first.id}` };
    }
  }
  return undefined;
}

function hasHeard(first: SeenEvent, channels: readonly string[]): boolean {
  return channels.every((channel) => first.channels.includes(channel));
}

function isWithin(ageMs: number, windowMs: number): boolean {
  return ageMs >= -aheadMs && ageMs <= windowMs;
}

/** The same for one event that came by two ways. It says nothing of the time: an hour later it is a new event. */
function digestOf({ session, name, turn, notificationType, reason, message }: AgentEvent): string {
  const facts = [session, name, turn ?? null, notificationType ?? null, reason ?? null, message ?? null];
  return sha256(JSON.stringify(facts)).slice(0, 24);
}
