// The data of a digest: what ran in a stretch of time, for how long, what failed, and what still waits.
import type { AgentEvent } from "../model/event.ts";
import { waitingSessions, type WaitingSession } from "./grouping.ts";
import { isQuestion } from "./session.ts";

/** What the record says about one event. */
export interface DigestEvent {
  event: AgentEvent;
  /** Messages that were sent for it. */
  sent: number;
  /** Messages that attention held back or dropped. */
  withheld: number;
}

export interface DigestProject {
  project: string;
  agents: string[];
  turns: number;
  workMs: number;
  failures: number;
  questions: number;
}

export interface Digest {
  from: number;
  to: number;
  /** The one with the most work first. */
  projects: DigestProject[];
  total: Omit<DigestProject, "project" | "agents"> & { sent: number; withheld: number };
  /** Oldest first. */
  failures: { at: number; project: string; agent: string; words: string | undefined }[];
  waiting: WaitingSession[];
  /** Work in equal parts of the time, in milliseconds; agents that work side by side add up. */
  slots: number[];
}

const slotCount = 24;

export function digestOf(
  events: readonly DigestEvent[],
  sessions: Parameters<typeof waitingSessions>[0],
  { from, to }: { from: number; to: number },
): Digest {
  const projects = new Map<string, DigestProject>();
  const total = { turns: 0, workMs: 0, failures: 0, questions: 0, sent: 0, withheld: 0 };
  const failures: Digest["failures"] = [];
  const slots = Array.from({ length: slotCount }, () => 0);
  for (const { event, sent, withheld } of events) {
    const at = Date.parse(event.at);
    if (at < from || at >= to) continue;
    const { project, agent, durationMs = 0 } = event;
    const isTurn = event.name === "Stop" || event.name === "StopFailure";
    const isFailure = event.level === "error";
    const counted = {
      turns: isTurn ? 1 : 0,
      workMs: isTurn ? durationMs : 0,
      failures: isFailure ? 1 : 0,
      questions: isQuestion(event) ? 1 : 0,
    };
    const known = projects.get(project) ?? { project, agents: [], turns: 0, workMs: 0, failures: 0, questions: 0 };
    projects.set(project, known);
    if (!known.agents.includes(agent)) known.agents.push(agent);
    for (const each of [known, total]) {
      each.turns += counted.turns;
      each.workMs += counted.workMs;
      each.failures += counted.failures;
      each.questions += counted.questions;
    }
    total.sent += sent;
    total.withheld += withheld;
    if (isFailure) failures.push({ at, project, agent, words: event.message ?? event.reason });
    if (isTurn) addWork(slots, { from, to }, at - durationMs, at);
  }
  const byWork = [...projects.values()].sort((a, b) => b.workMs - a.workMs || b.turns - a.turns);
  return { from, to, projects: byWork, total, failures, waiting: waitingSessions(sessions, to), slots };
}

/** Spreads the work over the slots that it ran in. */
function addWork(slots: number[], { from, to }: { from: number; to: number }, start: number, end: number): void {
  const slotMs = (to - from) / slots.length;
  for (const [index, worked] of slots.entries()) {
    const slotStart = from + index * slotMs;
    slots[index] = worked + Math.max(0, Math.min(end, slotStart + slotMs) - Math.max(start, slotStart));
  }
}
