// What an answer makes unnecessary: waiting messages, and notifications on show.
import { formatDuration } from "../model/figures/duration.ts";
import { type AgentEvent, isQuestion, wasQuestion } from "../model/event.ts";
import { closes, type SessionState } from "./session.ts";
import { drop, type Decision, type Objection, type Weighed } from "./verdict.ts";

/** They serve a record, in which old news counts. */
const aboutVolume: ReadonlySet<Decision> = new Set(["group", "throttle"]);

/** Cancels only what has waited. */
export function objectAnswered(
  { event, held, escalatesAfterMs, since }: Weighed,
  session: SessionState,
): Objection | undefined {
  if (held === undefined && escalatesAfterMs === undefined) return undefined;
  const { acted } = session;
  if (escalatesAfterMs !== undefined && acted !== undefined && acted.at >= since) {
    return drop("answered", `${acted.how} after ${formatDuration(acted.at - since)}`);
  }
  const closed = session.closed?.find(({ id }) => id === event.id);
  if (closed === undefined) return undefined;
  if (isQuestion(event)) return drop("answered", `answered after ${formatDuration(closed.afterMs)}`);
  if (held !== undefined && aboutVolume.has(held.by)) return undefined;
  return drop("answered", `the session went on after ${formatDuration(closed.afterMs)}`);
}

export interface Withdrawal {
  /** `answered at the terminal after 41s` */
  why: string;
  /** A question, not just news. */
  isAnswer: boolean;
}

export function withdrawalOf(session: SessionState, event: AgentEvent): Withdrawal | undefined {
  const closed = (session.open ?? []).filter((each) => closes(event, each));
  const question = closed.findLast(wasQuestion);
  if (question !== undefined) {
    const what = event.name === "SessionEnd" ? "the session ended" : "answered at the terminal";
    const after = formatDuration(Math.max(0, Date.parse(event.at) - question.at));
    return { why: `${what} after ${after}`, isAnswer: true };
  }
  const isSeen = event.name === "UserPromptSubmit" || event.isAnswer === true;
  return isSeen ? { why: "you wrote to the session", isAnswer: false } : undefined;
}
