// Whether an event was told already: by another wiring, or by an agent that repeats itself.
import { createHash } from "node:crypto";
import type { AgentEvent } from "../../model/event.ts";
import { cut } from "../../model/text.ts";
import type { SeenEvent } from "../../outbox/sessions.ts";

/** Two wirings are called side by side. */
const otherWiringMs = 10_000;
/** Droid and Gemini CLI tell the end of a session up to three times within 250 ms. */
const sessionEndMs = 2000;
/** Qwen Code says 52 ms after a turn that it waits; Claude Code reminds after a minute. */
const idleMs = 5000;
/** Copilot CLI tells of an error, then that the session ended by it. */
const endByErrorMs = 10_000;
/** Hooks that run side by side may be taken in out of order. */
const aheadMs = 1000;
const maxMs = Math.max(otherWiringMs, sessionEndMs, idleMs, endByErrorMs);
/** In a storm of events, something is told twice. */
const maxSeen = 32;
/** An untrusted name may have megabytes. */
const maxWordLength = 100;

export interface Arrival {
  event: AgentEvent;
  /** By which `--agent` and `--by`, and the agent's own name for it. */
  way: string;
  channels: readonly string[];
  /** Whether only rules for errors chose it. */
  isToldAsError: boolean;
  /** Whether one id means one session, of an agent whose habits are known. */
  isOneSession: boolean;
}

export interface Judgement {
  duplicate: { of: string; why: string } | undefined;
  /** What the session remembers. */
  recent: SeenEvent[];
}

/** Never when a channel would miss it; in doubt it is told twice. Pure. */
export function detectDuplicate(seen: readonly SeenEvent[], arrival: Arrival): Judgement {
  const { event, channels } = arrival;
  const at = Date.parse(event.at);
  const recent = seen.filter((each) => isWithin(at - each.at, maxMs));
  const own: SeenEvent = {
    id: event.id,
    at,
    name: cut(event.name, maxWordLength),
    key: digestOf(sameEventKey(event)),
    ways: { [cut(arrival.way, maxWordLength)]: event.id },
    channels: [...channels],
  };
  // Taken in again after a crash.
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
  const { first, why } = found;
  const withWay = { ...first, ways: { ...first.ways, ...own.ways } };
  return {
    duplicate: { of: first.id, why },
    recent: found.isTwin ? recent.map((each) => (each === first ? withWay : each)) : recent,
  };
}

const beginsAnew: ReadonlySet<string> = new Set(["UserPromptSubmit", "SessionStart"]);

interface Found {
  first: SeenEvent;
  why: string;
  isTwin?: boolean;
}

/** Each telling by one wiring stands for one by the other. */
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
      isWithin(own.at - each.at, otherWiringMs) &&
      (each.ways[way] === undefined || each.ways[way] === own.id) &&
      hasHeard(each, channels),
  );
  return first === undefined
    ? undefined
    : { first, isTwin: true, why: `the same event as ${first.id}, which came by another wiring` };
}

/** What known agents tell again in other words. */
function findHabit(
  recent: readonly SeenEvent[],
  own: SeenEvent,
  { event, channels, isToldAsError }: Arrival,
): Found | undefined {
  const heard = recent.filter((each) => hasHeard(each, channels));
  const ageOf = (each: SeenEvent): number => own.at - each.at;
  const last = recent.at(-1);
  if (event.name === "SessionEnd" && last !== undefined && heard.includes(last)) {
    if (last.key === own.key && isWithin(ageOf(last), sessionEndMs)) {
      return { first: last, why: `the end of the session was told already: ${last.id}` };
    }
    const isByError = /error|fail|crash/i.test(event.reason ?? "");
    // A rule that wants the end of every session gets it.
    if (isByError && isToldAsError && last.name === "StopFailure" && isWithin(ageOf(last), endByErrorMs)) {
      return { first: last, why: `the error that ended the session was told already: ${last.id}` };
    }
  }
  if (event.name === "Notification" && event.notificationType === "idle_prompt") {
    const first = heard.findLast(({ name }) => name === "Stop" || name === "StopFailure");
    if (first !== undefined && isWithin(ageOf(first), idleMs)) {
      return { first, why: `the end of the turn that it waits after was told already: ${first.id}` };
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

function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 24);
}

/** Says nothing of the time: within seconds it is one event, an hour later a new one. */
export function sameEventKey(
  event: Pick<AgentEvent, "session" | "name" | "turn" | "notificationType" | "reason" | "message">,
): string {
  const { session, name, turn, notificationType, reason, message } = event;
  return JSON.stringify([session, name, turn ?? null, notificationType ?? null, reason ?? null, message ?? null]);
}
