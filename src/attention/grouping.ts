// Many events as one message: a group that collects for some seconds, and the list of the sessions that wait.
import { formatDuration } from "../model/figures/duration.ts";
import type { AgentEvent } from "../model/event.ts";
import { isQuestion, type OpenEvent } from "./session.ts";
import { hold, isUrgent, type Objection, type Weighed } from "./verdict.ts";

/** Facts of an event that a group or a throttle can be kept apart by. */
export const groupFields = ["project", "session", "agent", "event"] as const;
export type GroupField = (typeof groupFields)[number];

export interface Grouping {
  by: readonly GroupField[];
  waitMs: number;
}

/** The same for events that differ in none of these fields. */
export function keyOf(event: AgentEvent, by: readonly GroupField[]): string {
  const facts = {
    project: event.project,
    session: `${event.agent} ${event.session}`,
    agent: event.agent,
    event: event.name,
  };
  return JSON.stringify(by.map((field) => facts[field]));
}

/** `openGroups`: until when the messages wait that lie in the outbox already, by their `gather` key. */
export function objectGroup(
  { event, level, rule, channel, held }: Weighed,
  grouping: Grouping | undefined,
  openGroups: ReadonlyMap<string, number>,
  nowMs: number,
): Objection | undefined {
  if (grouping === undefined || isUrgent(level)) return undefined;
  // What something else has held leaves with the rest of what that held.
  if (held !== undefined && (held.by !== "group" || held.until <= nowMs)) return undefined;
  const key = `group ${JSON.stringify([channel, rule])} ${keyOf(event, grouping.by)}`;
  const open = held?.until ?? openGroups.get(key) ?? 0;
  const until = open > nowMs ? open : nowMs + grouping.waitMs;
  return hold("group", until, `grouped for ${formatDuration(grouping.waitMs)}`, key);
}

/** An open question of one session. */
export interface WaitingSession {
  agent: string;
  project: string;
  question: OpenEvent;
}

/** A question this old belongs to a session that is gone, as after a reboot. */
const maxQuestionAgeMs = 12 * 60 * 60_000;
const maxLines = 10;

/** The newest open question of each session, oldest first. */
export function waitingSessions(
  sessions: readonly { agent: string; project: string; open?: readonly OpenEvent[] | undefined }[],
  nowMs: number,
): WaitingSession[] {
  return sessions
    .flatMap(({ agent, project, open = [] }) => {
      const question = open.findLast((each) => isQuestion(each) && nowMs - each.at < maxQuestionAgeMs);
      return question === undefined ? [] : [{ agent, project, question }];
    })
    .sort((a, b) => a.question.at - b.question.at);
}

/** Title and lines for several sessions that wait; undefined for one, which speaks for itself. */
export function waitingMessage(
  waiting: readonly WaitingSession[],
  nowMs: number,
): { title: string; body: string } | undefined {
  if (waiting.length < 2) return undefined;
  const lines = waiting.slice(0, maxLines).map(({ agent, project, question: { at, words } }) => {
    const age = formatDuration(Math.max(0, nowMs - at));
    return `${project} (${agent}, ${age})${words === undefined ? "" : `: ${words}`}`;
  });
  if (waiting.length > maxLines) lines.push(`… and ${waiting.length - maxLines} more`);
  return { title: `${waiting.length} sessions wait for you`, body: lines.join("\n") };
}
