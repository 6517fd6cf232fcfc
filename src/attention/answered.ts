// What the person's answer makes unnecessary: messages that still wait, and notifications that are still shown.
import { formatDuration } from "../model/figures/duration.ts";
import type { AgentEvent } from "../model/event.ts";
import { closes, isQuestion, wasQuestion, type SessionState } from "./session.ts";
import { drop, type Decision, type Objection, type Weighed } from "./verdict.ts";

/** Decisions about volume serve a record of everything, in which old news still counts. */
const aboutVolume: ReadonlySet<Decision> = new Set(["group", "throttle"]);

/** Cancels a message that has waited while the person reacted. A message that has not waited is still news. */
export function objectAnswered(
  { event, held, escalatesAfterMs }: Weighed,
  session: SessionState,
): Objection | undefined {
  if (held === undefined && escalatesAfterMs === undefined) return undefined;
  const closed = session.closed?.find(({ id }) => id === event.id);
  if (closed === undefined) return undefined;
  if (isQuestion(event)) return drop("answered", `answered after ${formatDuration(closed.afterMs)}`);
  if (held !== undefined && aboutVolume.has(held.by)) return undefined;
  return drop("answered", `the session went on after ${formatDuration(closed.afterMs)}`);
}

/** What a session still shows is out of date. */
export interface Withdrawal {
  /** Such as `answered at the terminal after 41s`. */
  why: string;
  /** Whether a question was answered, and not just news read. */
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
