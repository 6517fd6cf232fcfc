// The observers of open sessions; each can be left out.
import { createProcessCheck, processOf } from "../../outbox/current-sessions.ts";
import { maxReviewMs } from "../../sessions/state.ts";
import { observeCommands } from "./command-started.ts";
import { type Observer, pauseMs } from "./observer.ts";
import { observeStatus } from "./session-status.ts";
import { createTranscriptReader } from "./transcript.ts";
import { observeTurn } from "./turn-in-transcript.ts";

const lookEveryMs = 5000;

/** The first observer that can tell decides. */
export function createObservers(): readonly Observer[] {
  const reader = createTranscriptReader();
  return [observeProcess(), observeReview, observeStatus(reader), observeCommands(reader), observeTurn(reader)];
}

/** Sees a process that has ended: no hook and no other signal tells of it. */
function observeProcess(): Observer {
  const check = createProcessCheck();
  return {
    everyMs: (watched, nowMs) => pauseMs(lookEveryMs, watched, nowMs),
    watches: ({ session }) => (processOf(session) === undefined ? undefined : []),
    look: ({ session }, nowMs) => check(session, nowMs),
  };
}

/** Sees the end of the time that an agent's own reviewer has for a question: then the person is asked. */
const observeReview: Observer = {
  everyMs: () => lookEveryMs,
  watches: ({ questions }) => (questions.some((each) => each.isReviewed) ? [] : undefined),
  look({ questions }, nowMs) {
    const isOver = questions.some((each) => each.isReviewed === true && each.at + maxReviewMs <= nowMs);
    return isOver ? { kind: "reviewOver", source: "transcript", at: nowMs } : undefined;
  },
};
