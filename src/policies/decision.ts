// What a policy decides of a message for a channel: it is sent now, deferred or suppressed, and why.
import type { AgentEvent } from "../model/event.ts";
import type { Level } from "../model/level.ts";

/** In the order in which they are asked. Deliveries and the journal keep these names, so subagents are helpers here. */
export const policyNames = [
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
export type PolicyName = (typeof policyNames)[number];

/** The message waits until this time, or until its session goes on. Then the policies decide again. */
export interface Defer {
  action: "defer";
  by: PolicyName;
  /** Milliseconds since the epoch. */
  until: number;
  why: string;
  /** Messages of one channel with the same key leave as one. */
  key?: string;
  /** The session that has just rung there, where this message makes no sound. */
  joins?: SessionName;
}

export interface Suppress {
  action: "suppress";
  by: PolicyName;
  why: string;
}

/** `level` replaces the message's own. With `joins`, it makes no sound. */
export interface Send {
  action: "send";
  level?: Level;
  why?: string;
  joins?: SessionName;
}

export type NotNow = Defer | Suppress;

export type Decision = Send | NotNow;

export type SessionName = Pick<AgentEvent, "agent" | "session">;

/**
 * How a channel shows a message that joins another within seconds: at once and without a sound, in one summary with the
 * others, not at all, or like the first, with its own sound.
 */
export type JoinedAs = "silentMessage" | "summary" | "nothing" | "ownMessage";

/** A message that a rule makes of an event for a channel. */
export interface Candidate {
  event: AgentEvent;
  level: Level;
  rule: string;
  channel: string;
  /** A person reads it, not a program. */
  isForPeople: boolean;
  joinedAs: JoinedAs;
  /** The event's time; milliseconds since the epoch. */
  since: number;
  expiresAt: number;
  /** How long after `since` this step of an escalation is due. */
  escalatesAfterMs?: number | undefined;
  deferred?: { by: PolicyName; until: number } | undefined;
}

export function defer(by: PolicyName, until: number, why: string, key?: string): Defer {
  return { action: "defer", by, until, why, ...(key === undefined ? {} : { key }) };
}

export function suppress(by: PolicyName, why: string): Suppress {
  return { action: "suppress", by, why };
}

/** Messages that these deferred serve as a record, in which old news counts. */
export function isAboutVolume(by: PolicyName): boolean {
  return by === "group" || by === "throttle";
}

/** Policies about volume never suppress urgent messages. */
export function isUrgent(level: Level): boolean {
  return level === "attention" || level === "error";
}
