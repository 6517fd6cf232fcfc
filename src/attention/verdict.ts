// The shape that every decision about a message has: it goes now, later or never, and why.
import type { AgentEvent } from "../model/event.ts";
import type { Level } from "../model/level.ts";

/** Names of the decisions, in the order in which `weigh` asks them. */
export const decisions = [
  "answered",
  "stuck",
  "mute",
  "helpers",
  "longerThan",
  "presence",
  "escalation",
  "quietHours",
  "group",
  "throttle",
] as const;
export type Decision = (typeof decisions)[number];

/** The message waits, and is weighed again at `until` (milliseconds since the epoch) or when its session goes on. */
export interface Hold {
  verdict: "hold";
  by: Decision;
  until: number;
  why: string;
  /** Messages for one channel that waited under the same key leave as one. */
  gather?: string;
}

export interface Drop {
  verdict: "drop";
  by: Decision;
  why: string;
}

/** A decision that does not object returns undefined. */
export type Objection = Hold | Drop;

/** `level` replaces the message's own, and then `why` says so. */
export type Verdict = { verdict: "send"; level?: Level; why?: string } | Objection;

/** One message for one channel, as the decisions see it. */
export interface Weighed {
  event: AgentEvent;
  /** The message's level, which its rule may have set. */
  level: Level;
  rule: string;
  channel: string;
  /** A channel that a person reads, and not a program. */
  isForPeople: boolean;
  /** When the wait began, in milliseconds since the epoch: the event's time, or earlier after the clock was turned back. */
  since: number;
  expiresAt: number;
  /** Set for a step of an escalation: how long after `since` it is due. */
  escalatesAfterMs?: number | undefined;
  /** What held the message until now; absent when it is weighed for the first time. */
  held?: { by: Decision; until: number } | undefined;
}

export function hold(by: Decision, until: number, why: string, gather?: string): Hold {
  return { verdict: "hold", by, until, why, ...(gather === undefined ? {} : { gather }) };
}

export function drop(by: Decision, why: string): Drop {
  return { verdict: "drop", by, why };
}

/** Messages that tell the person about a problem or a question; no decision about volume loses them. */
export function isUrgent(level: Level): boolean {
  return level === "attention" || level === "error";
}
