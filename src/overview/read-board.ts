// Reads what a board shows from the state folder. Writes nothing.
import { endsAt, listQuestions, readAnswer } from "../answers/questions.ts";
import { readMutes } from "../outbox/attention.ts";
import { currentSessions } from "../outbox/current-sessions.ts";
import type { Layout } from "../outbox/layout.ts";
import { boardRows, type BoardFacts, type BoardRow } from "./board.ts";
import { createNotificationReader } from "./notifications.ts";

/** Call the result each time that something may have changed: it reads only what is new. */
export function createBoardReader(
  layout: Layout,
  isWanted?: Parameters<typeof boardRows>[2],
): (nowMs: number, rules?: Pick<BoardFacts, "takesAnswers">) => BoardRow[] {
  const tellings = createNotificationReader(layout);
  return (nowMs, rules) => {
    const questions = listQuestions(layout).flatMap((question) => {
      const answer = readAnswer(layout, question.id);
      // An expired question without an answer is over.
      return answer === undefined && endsAt(question) <= nowMs ? [] : [{ question, answer }];
    });
    const sessions = currentSessions(layout, nowMs);
    const facts = { sessions, questions, mutes: readMutes(layout, nowMs), ...rules, tellingOf: tellings() };
    return boardRows(facts, nowMs, isWanted);
  };
}
