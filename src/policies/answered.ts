// What an answer makes unnecessary: waiting messages, and notifications on show.
import { formatDuration } from "../model/figures/duration.ts";
import { type AgentEvent, isQuestion } from "../model/event.ts";
import { asksStill, maxReviewMs, type Session } from "../sessions/state.ts";
import { type Candidate, defer, isAboutVolume, type NotNow, suppress } from "./decision.ts";

/** Cancels only what has waited. */
export function answeredPolicy(
  { event, deferred, escalatesAfterMs, since }: Candidate,
  session: Session,
): NotNow | undefined {
  if (deferred === undefined && escalatesAfterMs === undefined) return undefined;
  const { acted } = session;
  if (escalatesAfterMs !== undefined && acted !== undefined && acted.at >= since) {
    return suppress("answered", `${acted.how} after ${formatDuration(acted.at - since)}`);
  }
  const closed = session.closed?.find(({ id }) => id === event.id);
  if (closed === undefined) return undefined;
  if (isQuestion(event)) return suppress("answered", `answered after ${formatDuration(closed.afterMs)}`);
  if (deferred !== undefined && isAboutVolume(deferred.by)) return undefined;
  return suppress("answered", `the session went on after ${formatDuration(closed.afterMs)}`);
}

/** The agent's own reviewer is asked first: mostly, the person need not know. */
export function reviewPolicy({ event, since }: Candidate, { open = [] }: Session, nowMs: number): NotNow | undefined {
  const until = since + maxReviewMs;
  if (nowMs >= until || !open.some(({ id, isReviewed }) => id === event.id && isReviewed)) return undefined;
  return defer("review", until, "the agent's own reviewer has not decided yet");
}

export interface RetractReason {
  /** `answered at the terminal after 41s` */
  why: string;
  /** A question, not just news. */
  isAnswer: boolean;
  /** The words of the question that is over. */
  asked?: string | undefined;
  /** All that the session shows is of a turn that is over. */
  isOfTurn?: true;
}

/** Since this event, what its owner shows on these channels is out of date. */
export interface Outdated {
  event: AgentEvent;
  /** The event's session, if it is left out. */
  owner?: "list" | undefined;
  retraction: RetractReason;
  isMeant: (channel: string) => boolean;
}

/** What the event that led from one state of the session to the other makes unnecessary. */
export function retractReason(before: Session, after: Session, event: AgentEvent): RetractReason | undefined {
  const still = new Set(after.open?.map(({ id }) => id));
  const question = before.open?.findLast((each) => asksStill(each) && !still.has(each.id));
  if (question !== undefined) {
    // It was answered from a channel, and the agent has gone on.
    const byPerson = question.isAnswered === true ? before.acted : undefined;
    const endedAt = byPerson?.at ?? Date.parse(event.at);
    const afterMs = formatDuration(Math.max(0, endedAt - question.at));
    return { why: `${byPerson?.how ?? howItEnded(after)} after ${afterMs}`, isAnswer: true, asked: question.words };
  }
  if (event.means === "interrupted") return { why: "you stopped the turn", isAnswer: false, isOfTurn: true };
  const isSeen = (event.name === "UserPromptSubmit" && event.means === undefined) || event.isAnswer === true;
  return isSeen ? { why: "you wrote to the session", isAnswer: false, isOfTurn: true } : undefined;
}

/** How a question of the session ended, as what has become of the session tells. */
export function howItEnded({ state }: Pick<Session, "state">): string {
  if (state.kind === "gone") return state.source === "process" ? "the agent's process ended" : "the session ended";
  return state.kind === "interrupted" ? "you stopped the turn" : "answered at the terminal";
}
