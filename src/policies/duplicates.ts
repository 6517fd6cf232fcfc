// Recognises events that were reported before.
import { type AgentEvent, isEndOfTurn, isReminder, remindsOf, repeatsQuestion } from "../model/event.ts";
import { cut } from "../model/text.ts";
import { sha256 } from "../system/crypto.ts";

const otherSetupMs = 10_000;
/** No agent repeats a question within this time. */
const samePayloadMs = 3000;
/** Droid and Gemini CLI report the end of a session up to three times within 250 ms. */
const sessionEndMs = 2000;
/** Copilot CLI reports an error, then that the session ended by it. */
const endByErrorMs = 10_000;
/** Claude Code sends a Notification six seconds after its PermissionRequest. */
const questionMs = 20_000;
/** Parallel hooks arrive in any order. */
const aheadMs = 1000;
const maxMs = Math.max(otherSetupMs, questionMs);
/** Reminders count until the next prompt, but no longer than this. */
const maxReminderMs = 24 * 60 * 60 * 1000;
/** In a storm, an event may be reported twice. */
const maxSeen = 32;
/** Names are untrusted. */
const maxWordLength = 100;

export interface SeenEvent {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  name: string;
  key: string;
  /** The keys are ways, the values the ids under which it came. */
  ways: Record<string, string>;
  channels: string[];
  payload?: string | undefined;
}

export interface ArrivedEvent {
  event: AgentEvent;
  /** `--agent`, `--by` and the agent's own name for it. */
  way: string;
  channels: readonly string[];
  /** Only rules for errors chose these channels. */
  isToldAsError: boolean;
  /** The id stands for one session of a known agent. */
  isOneSession: boolean;
  payloadKey?: string | undefined;
  /** All channels that people read; absent: none. */
  forPeople?: ReadonlySet<string>;
  /** The person wants the agent's reminder although the end of the turn was told. */
  isReminded?: boolean;
  /** Ids of the session's questions that are not answered. Absent: none. */
  openQuestions?: ReadonlySet<string>;
}

export interface DuplicateResult {
  duplicate: { of: string; why: string } | undefined;
  alreadyNotified?: { channels: readonly string[]; why: string } | undefined;
  recent: SeenEvent[];
}

/** Reports an event twice rather than not at all. Pure. */
export function detectDuplicate(seen: readonly SeenEvent[], arrival: ArrivedEvent): DuplicateResult {
  const { event, channels, openQuestions } = arrival;
  const at = Date.parse(event.at);
  const canBeReminded = (each: SeenEvent): boolean => isEndOfTurn(each) || openQuestions?.has(each.id) === true;
  const recent = seen.filter((each) => isWithin(at - each.at, canBeReminded(each) ? maxReminderMs : maxMs));
  const own: SeenEvent = {
    id: event.id,
    at,
    name: cut(event.name, maxWordLength),
    key: digestOf(sameEventKey(event)),
    ways: { [cut(arrival.way, maxWordLength)]: event.id },
    channels: [...channels],
    ...(arrival.payloadKey === undefined ? {} : { payload: digestOf(arrival.payloadKey) }),
  };
  // The payload is taken in again after a crash.
  if (recent.some(({ id }) => id === event.id)) {
    return {
      duplicate: undefined,
      recent: recent.map((each) => (each.id === event.id ? { ...each, channels: own.channels } : each)),
    };
  }
  const found = findTwin(recent, own, arrival) ?? (arrival.isOneSession ? findHabit(recent, own, arrival) : undefined);
  const notified = found === undefined ? [] : notifiedAlready(found.first, arrival);
  if (found !== undefined && notified.length === channels.length) {
    const { first, why } = found;
    const withWay = { ...first, ways: { ...first.ways, ...own.ways } };
    return {
      duplicate: { of: first.id, why },
      recent: found.isTwin ? recent.map((each) => (each === first ? withWay : each)) : recent,
    };
  }
  return {
    duplicate: undefined,
    alreadyNotified: found === undefined || notified.length === 0 ? undefined : { channels: notified, why: found.why },
    recent: beginsAnew.has(event.name) ? [own] : [...recent, own].slice(-maxSeen),
  };
}

/** A reminder is for the person, who has read the end of the turn wherever it was told. A question may need to be seen elsewhere. */
function notifiedAlready(first: SeenEvent, { event, channels, forPeople }: ArrivedEvent): string[] {
  const { channels: told } = first;
  const isKnown = isReminder(event) && isEndOfTurn(first) && told.some((name) => forPeople?.has(name));
  return channels.filter((name) => told.includes(name) || (isKnown && forPeople?.has(name) === true));
}

export function withChannels(recent: readonly SeenEvent[], eventId: string, channels: readonly string[]): SeenEvent[] {
  return recent.map((each) => (each.id === eventId ? { ...each, channels: [...channels] } : each));
}

/** After these events, what came before is unrelated. */
const beginsAnew: ReadonlySet<string> = new Set(["UserPromptSubmit", "SessionStart"]);

interface Found {
  first: SeenEvent;
  why: string;
  isTwin?: boolean;
}

/** Each report through one hook setup stands for one through the other. */
function findTwin(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, isOneSession, channels }: ArrivedEvent,
): Found | undefined {
  // Two silent sessions in one folder look the same.
  if (!isOneSession && event.message === undefined) return undefined;
  const [way = ""] = Object.keys(own.ways);
  const isOtherWay = (each: SeenEvent): boolean =>
    isWithin(own.at - each.at, otherSetupMs) && (each.ways[way] === undefined || each.ways[way] === own.id);
  const isSamePayload = (each: SeenEvent): boolean =>
    own.payload !== undefined && each.payload === own.payload && isWithin(own.at - each.at, samePayloadMs);
  const first = recent.find(
    (each) => each.key === own.key && (isOtherWay(each) || isSamePayload(each)) && hasHeard(each, channels),
  );
  return first === undefined
    ? undefined
    : { first, isTwin: true, why: `the same event as ${first.id}, through another hook` };
}

function findHabit(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, channels, isToldAsError, isReminded: isWanted, openQuestions }: ArrivedEvent,
): Found | undefined {
  const ageOf = (each: SeenEvent): number => own.at - each.at;
  const last = recent.at(-1);
  if (event.name === "SessionEnd" && last !== undefined && hasHeard(last, channels)) {
    if (last.key === own.key && isWithin(ageOf(last), sessionEndMs)) {
      return { first: last, why: `the end of the session was reported: ${last.id}` };
    }
    const isByError = /error|fail|crash/i.test(event.reason ?? "");
    // A rule about every end gets it.
    if (isByError && isToldAsError && last.name === "StopFailure" && isWithin(ageOf(last), endByErrorMs)) {
      return { first: last, why: `the error that ended the session was reported: ${last.id}` };
    }
  }
  if (isReminder(event) && isWanted === true) return undefined;
  const names = remindsOf(event);
  const isReminded = (each: SeenEvent): boolean => {
    if (!names.includes(each.name)) return false;
    const isJustAsked = repeatsQuestion(event) && isWithin(ageOf(each), questionMs);
    return isEndOfTurn(each) || openQuestions?.has(each.id) === true || isJustAsked;
  };
  const first = recent.findLast(isReminded);
  if (first === undefined) return undefined;
  const what = isEndOfTurn(first) ? "the end of the turn" : "the question";
  return { first, why: `${what} was reported: ${first.id}` };
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

/** The key leaves out the time. */
export function sameEventKey(
  event: Pick<AgentEvent, "session" | "name" | "turn" | "notificationType" | "reason" | "message">,
): string {
  const { session, name, turn, notificationType, reason, message } = event;
  return JSON.stringify([session, name, turn ?? null, notificationType ?? null, reason ?? null, message ?? null]);
}
