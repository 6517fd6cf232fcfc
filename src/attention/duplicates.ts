// Recognises events that were reported before: one event through two wirings, and the habits of known agents.
import type { AgentEvent } from "../model/event.ts";
import { cut } from "../model/text.ts";
import { sha256 } from "../system/crypto.ts";

/** Two wirings are called side by side; on a slow machine the second one takes its time. */
const otherWiringMs = 10_000;
/** The same payload through the same `--agent`: an agent could repeat a question in so long, but hardly sooner. */
const samePayloadMs = 3000;
/** Droid and Gemini CLI report the end of a session two or three times, within 250 ms. */
const sessionEndMs = 2000;
/** Copilot CLI reports an error, and then that the session ended by it. */
const endByErrorMs = 10_000;
/** Claude Code sends a Notification six seconds after its PermissionRequest. */
const questionMs = 20_000;
/** Hooks that run side by side are not taken in in the order of their calls. Anything later is from a clock set back. */
const aheadMs = 1000;
const maxMs = Math.max(otherWiringMs, questionMs);
/** The end of a turn is remembered until the next prompt, for the reminders that follow it. */
const maxReminderMs = 24 * 60 * 60 * 1000;
/** In a storm of events the oldest are forgotten: then an event may be reported twice. */
const maxSeen = 32;
/** Names are untrusted and may be long. */
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
  /** A digest of its payload, where that has an id or a time of its own. */
  payload?: string | undefined;
}

/** An event, and the channels that would hear of it. */
export interface Arrival {
  event: AgentEvent;
  /** How it arrived: through which `--agent` and `--by`, and under which name of the agent. */
  way: string;
  /** The channels that it is planned for. */
  channels: readonly string[];
  /** Whether the rules that chose these channels wait for errors only. */
  isToldAsError: boolean;
  /** Whether all events with this session's id are of one session, of an agent with known habits. */
  isOneSession: boolean;
  /** A digest of the payload, where the agent gives it an id or a time; undefined elsewhere. */
  payloadKey?: string | undefined;
}

export interface Judgement {
  /** The event that this one only repeats, and why. */
  duplicate: { of: string; why: string } | undefined;
  /** Of an event that some channels have heard of: those channels, and why. */
  heard?: { channels: readonly string[]; why: string } | undefined;
  /** What the session is to remember. */
  recent: SeenEvent[];
}

/**
 * Whether an event was reported before. It never is for a channel that has not heard of the first one, nor when an equal
 * event arrived the same way, except for the habits of known agents. In doubt an event is reported twice. Pure.
 */
export function detectDuplicate(seen: readonly SeenEvent[], arrival: Arrival): Judgement {
  const { event, channels } = arrival;
  const at = Date.parse(event.at);
  const recent = seen.filter((each) => isWithin(at - each.at, endsTurn(each) ? maxReminderMs : maxMs));
  const own: SeenEvent = {
    id: event.id,
    at,
    name: cut(event.name, maxWordLength),
    key: digestOf(sameEventKey(event)),
    ways: { [cut(arrival.way, maxWordLength)]: event.id },
    channels: [...channels],
    ...(arrival.payloadKey === undefined ? {} : { payload: digestOf(arrival.payloadKey) }),
  };
  // Taken in again after a crash.
  if (recent.some(({ id }) => id === event.id)) {
    return {
      duplicate: undefined,
      recent: recent.map((each) => (each.id === event.id ? { ...each, channels: own.channels } : each)),
    };
  }
  const found = findTwin(recent, own, arrival) ?? (arrival.isOneSession ? findHabit(recent, own, arrival) : undefined);
  if (found !== undefined && hasHeard(found.first, channels)) {
    const { first, why } = found;
    const withWay = { ...first, ways: { ...first.ways, ...own.ways } };
    return {
      duplicate: { of: first.id, why },
      recent: found.isTwin ? recent.map((each) => (each === first ? withWay : each)) : recent,
    };
  }
  const heard = found && { channels: channels.filter((name) => found.first.channels.includes(name)), why: found.why };
  return {
    duplicate: undefined,
    heard: heard?.channels.length === 0 ? undefined : heard,
    recent: beginsAnew.has(event.name) ? [own] : [...recent, own].slice(-maxSeen),
  };
}

/** Once it is known which channels really tell the event. */
export function withChannels(recent: readonly SeenEvent[], eventId: string, channels: readonly string[]): SeenEvent[] {
  return recent.map((each) => (each.id === eventId ? { ...each, channels: [...channels] } : each));
}

/** What came before these has nothing to do with what follows them. */
const beginsAnew: ReadonlySet<string> = new Set(["UserPromptSubmit", "SessionStart"]);

interface Found {
  first: SeenEvent;
  why: string;
  isTwin?: boolean;
}

/** One event through two wirings: each report through one stands for one report through the other. */
function findTwin(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, isOneSession, channels }: Arrival,
): Found | undefined {
  // Two sessions in one folder look the same when neither says a word.
  if (!isOneSession && event.message === undefined) return undefined;
  const [way = ""] = Object.keys(own.ways);
  const isOtherWay = (each: SeenEvent): boolean =>
    isWithin(own.at - each.at, otherWiringMs) && (each.ways[way] === undefined || each.ways[way] === own.id);
  const isSamePayload = (each: SeenEvent): boolean =>
    own.payload !== undefined && each.payload === own.payload && isWithin(own.at - each.at, samePayloadMs);
  const first = recent.find(
    (each) => each.key === own.key && (isOtherWay(each) || isSamePayload(each)) && hasHeard(each, channels),
  );
  return first === undefined
    ? undefined
    : { first, isTwin: true, why: `the same event as ${first.id}, through another wiring` };
}

/** What known agents report again in other words, or more than once. */
function findHabit(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, channels, isToldAsError }: Arrival,
): Found | undefined {
  const ageOf = (each: SeenEvent): number => own.at - each.at;
  const last = recent.at(-1);
  if (event.name === "SessionEnd" && last !== undefined && hasHeard(last, channels)) {
    if (last.key === own.key && isWithin(ageOf(last), sessionEndMs)) {
      return { first: last, why: `the end of the session was reported: ${last.id}` };
    }
    const isByError = /error|fail|crash/i.test(event.reason ?? "");
    // A rule that wants the end of every session gets it.
    if (isByError && isToldAsError && last.name === "StopFailure" && isWithin(ageOf(last), endByErrorMs)) {
      return { first: last, why: `the error that ended the session was reported: ${last.id}` };
    }
  }
  if (event.name !== "Notification") return undefined;
  const type = event.notificationType ?? "";
  if (isReminder.test(type)) {
    const first = recent.findLast(endsTurn);
    return first && { first, why: `the end of the turn was reported: ${first.id}` };
  }
  const asked = isQuestion.test(type) ? recent.findLast(({ name }) => asksAtOnce.has(name)) : undefined;
  if (asked === undefined || !isWithin(ageOf(asked), questionMs)) return undefined;
  return { first: asked, why: `the question was reported: ${asked.id}` };
}

/** Notifications that the agent waits, though nothing new has happened. */
const isReminder = /^(?:idle_prompt|agent_idle)$/;
const isQuestion = /^(?:(?:worker_)?permission_prompt|elicitation_(?:url_)?dialog)$/;
/** Events that ask at once what a Notification repeats in fewer words. */
const asksAtOnce: ReadonlySet<string> = new Set(["PermissionRequest", "Elicitation"]);

function endsTurn({ name }: SeenEvent): boolean {
  return name === "Stop" || name === "StopFailure";
}

function hasHeard(first: SeenEvent, channels: readonly string[]): boolean {
  return channels.every((channel) => first.channels.includes(channel));
}

function isWithin(ageMs: number, windowMs: number): boolean {
  return ageMs >= -aheadMs && ageMs <= windowMs;
}

function digestOf(key: string): string {
  return sha256(key).slice(0, 24);
}

/** The same for one event that arrives twice. It does not contain the time: an hour later it is a new event. */
export function sameEventKey(
  event: Pick<AgentEvent, "session" | "name" | "turn" | "notificationType" | "reason" | "message">,
): string {
  const { session, name, turn, notificationType, reason, message } = event;
  return JSON.stringify([session, name, turn ?? null, notificationType ?? null, reason ?? null, message ?? null]);
}
