// What every decision says: now, later or never, and why.
import type { AgentEvent } from "../model/event.ts";
import type { Level } from "../model/level.ts";

/** `weigh` asks them in this order. */
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

/** Until then, or until its session goes on. */
export interface Hold {
  verdict: "hold";
  by: Decision;
  until: number;
  why: string;
  /** Those of one channel with the same key leave as one. */
  gather?: string;
}

export interface Drop {
  verdict: "drop";
  by: Decision;
  why: string;
}

/** Undefined: no objection. */
export type Objection = Hold | Drop;

/** `level` replaces the message's own. */
export type Verdict = { verdict: "send"; level?: Level; why?: string } | Objection;

export interface Weighed {
  event: AgentEvent;
  level: Level;
  rule: string;
  channel: string;
  /** A person reads it, not a program. */
  isForPeople: boolean;
  /** The event's time; milliseconds since the epoch. */
  since: number;
  expiresAt: number;
  /** After `since`, for a step of an escalation. */
  escalatesAfterMs?: number | undefined;
  held?: { by: Decision; until: number } | undefined;
}

export function hold(by: Decision, until: number, why: string, gather?: string): Hold {
  return { verdict: "hold", by, until, why, ...(gather === undefined ? {} : { gather }) };
}

export function drop(by: Decision, why: string): Drop {
  return { verdict: "drop", by, why };
}

/** No decision about volume loses them. */
export function isUrgent(level: Level): boolean {
  return level === "attention" || level === "error";
}
