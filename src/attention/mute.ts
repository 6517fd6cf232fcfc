// Silence by hand.
import type { AgentEvent } from "../model/event.ts";
import { drop, hold, isUrgent, type Objection, type Weighed } from "./verdict.ts";
import { formatTime } from "./wall-clock.ts";

export const muteScopes = ["all", "project", "session", "agent", "channel"] as const;
export type MuteScope = (typeof muteScopes)[number];

export interface Mute {
  scope: MuteScope;
  /** Empty for everything. */
  name: string;
  /** Absent: until changed by hand. */
  until?: number | undefined;
}

const weighAgainMs = 24 * 60 * 60_000;

export function muteOf(
  mutes: readonly Mute[],
  event: Pick<AgentEvent, "project" | "session" | "agent">,
  channel: string | undefined,
  nowMs: number,
): Mute | undefined {
  const names = { all: "", project: event.project, session: event.session, agent: event.agent, channel };
  const endOf = ({ until = Infinity }: Mute): number => until;
  return mutes
    .filter((mute) => names[mute.scope] === mute.name && endOf(mute) > nowMs)
    .toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1))
    .at(-1);
}

/** `project shop-web until 15:00` */
export function describeMute({ scope, name, until }: Mute, nowMs: number): string {
  const what = scope === "all" ? "everything" : `${scope} ${name}`;
  return until === undefined ? what : `${what} until ${formatTime(until, nowMs, undefined)}`;
}

export function objectMute(
  { event, channel, level }: Weighed,
  mutes: readonly Mute[],
  nowMs: number,
): Objection | undefined {
  const mute = muteOf(mutes, event, channel, nowMs);
  if (mute === undefined) return undefined;
  const why = `muted: ${describeMute(mute, nowMs)}`;
  return isUrgent(level) ? hold("mute", mute.until ?? nowMs + weighAgainMs, why, "mute") : drop("mute", why);
}
