// What every decision says: now, later or never, and why.
import type { AgentEvent } from "../model/event.ts";
import type { Level } from "../model/level.ts";

/** `weigh` asks them in this order. */
export const decisions = [
  "answered",
  "review",
  "stuck",
  "limit",
  "mute",
  "helpers",
  "longerThan",
  "presence",
  "escalation",
  "quietHours",
  "group",
  "throttle",
  "several",
] as const;
export type Decision = (typeof decisions)[number];

/** The message is held until this time, or until its session goes on. */
export interface Hold {
  verdict: "hold";
  by: Decision;
  until: number;
  why: string;
  /** Messages of one channel with the same key leave as one. */
  gather?: string;
  /** The session whose question has just rung there, where this one makes no sound. */
  joins?: SessionName;
}

export interface Drop {
  verdict: "drop";
  by: Decision;
  why: string;
}

/** Undefined means that the decision does not object. */
export type Objection = Hold | Drop;

/** `level` replaces the message's own. With `joins`, it makes no sound. */
export type Verdict = { verdict: "send"; level?: Level; why?: string; joins?: SessionName } | Objection;

export type SessionName = Pick<AgentEvent, "agent" | "session">;

/**
 * What a channel does with questions of further sessions within seconds: `update` sends each at once without a sound,
 * `gather` holds them and sends them as one, `skip` drops them, `each` treats each like the first.
 */
export type OfSeveral = "update" | "gather" | "skip" | "each";

export interface Weighed {
  event: AgentEvent;
  level: Level;
  rule: string;
  channel: string;
  /** A person reads it, not a program. */
  isForPeople: boolean;
  ofSeveral: OfSeveral;
  /** The event's time; milliseconds since the epoch. */
  since: number;
  expiresAt: number;
  /** How long after `since` this step of an escalation is due. */
  escalatesAfterMs?: number | undefined;
  held?: { by: Decision; until: number } | undefined;
}

export function hold(by: Decision, until: number, why: string, gather?: string): Hold {
  return { verdict: "hold", by, until, why, ...(gather === undefined ? {} : { gather }) };
}

export function drop(by: Decision, why: string): Drop {
  return { verdict: "drop", by, why };
}

/** Decisions about volume never drop urgent messages. */
export function isUrgent(level: Level): boolean {
  return level === "attention" || level === "error";
}
