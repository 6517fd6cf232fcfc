// News that wait for each other leave as one message.
import { formatDuration } from "../model/figures/duration.ts";
import type { AgentEvent } from "../model/event.ts";
import { hold, isUrgent, type Objection, type Weighed } from "./verdict.ts";

export const groupFields = ["project", "session", "agent", "event"] as const;
export type GroupField = (typeof groupFields)[number];

export interface Grouping {
  by: readonly GroupField[];
  waitMs: number;
}

export function keyOf(event: AgentEvent, by: readonly GroupField[]): string {
  const facts = {
    project: event.project,
    session: `${event.agent} ${event.session}`,
    agent: event.agent,
    event: event.name,
  };
  return JSON.stringify(by.map((field) => facts[field]));
}

/** All under one key leave with the first. */
export function objectGroup(
  { event, level, rule, channel, held }: Weighed,
  grouping: Grouping | undefined,
  nowMs: number,
): Objection | undefined {
  if (grouping === undefined || isUrgent(level)) return undefined;
  // It leaves with the rest of what held it.
  if (held !== undefined && (held.by !== "group" || held.until <= nowMs)) return undefined;
  const key = `group ${JSON.stringify([channel, rule])} ${keyOf(event, grouping.by)}`;
  const until = held?.until ?? nowMs + grouping.waitMs;
  return hold("group", until, `grouped for ${formatDuration(grouping.waitMs)}`, key);
}
