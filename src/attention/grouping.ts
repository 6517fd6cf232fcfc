// Many events as one message: groups, and the list of sessions that wait.
import { formatDuration } from "../model/figures/duration.ts";
import type { AgentEvent } from "../model/event.ts";
import { wasQuestion } from "../model/question.ts";
import type { OpenEvent, SessionState } from "./session.ts";
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

export interface WaitingSession {
  agent: string;
  session: string;
  project: string;
  question: OpenEvent;
}

/** An older session is gone, as after a reboot. */
const maxQuestionAgeMs = 12 * 60 * 60_000;
const maxLines = 10;

export function waitingSessions(
  sessions: readonly {
    agent: string;
    session: string;
    project?: string | undefined;
    open?: readonly OpenEvent[] | undefined;
    acted?: SessionState["acted"];
  }[],
  nowMs: number,
): WaitingSession[] {
  return sessions
    .flatMap(({ agent, session, project = "", open = [], acted }) => {
      const answeredAt = acted?.isAnswer === true ? acted.at : -Infinity;
      const question = open.findLast(
        (each) => wasQuestion(each) && each.at > answeredAt && nowMs - each.at < maxQuestionAgeMs,
      );
      return question === undefined ? [] : [{ agent, session, project, question }];
    })
    .sort((a, b) => a.question.at - b.question.at);
}

export function waitingMessage(waiting: readonly WaitingSession[], nowMs: number): { title: string; body: string } {
  const lines = waiting.slice(0, maxLines).map((each) => waitingLine(each, nowMs));
  if (waiting.length > maxLines) lines.push(`… and ${waiting.length - maxLines} more`);
  const title = waiting.length === 1 ? "1 session waits for you" : `${waiting.length} sessions wait for you`;
  return { title, body: lines.join("\n") };
}

/** `shop-web (codex, 4m): May I run npm test?` */
function waitingLine({ agent, project, question: { at, words } }: WaitingSession, nowMs: number): string {
  const age = formatDuration(Math.max(0, nowMs - at));
  return `${project} (${agent}, ${age})${words === undefined ? "" : `: ${words}`}`;
}
