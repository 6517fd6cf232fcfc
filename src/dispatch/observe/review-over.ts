// The end of the time that an agent's own reviewer has for a question: then the person is asked.
import { maxReviewMs } from "../../sessions/state.ts";
import type { Observer } from "./observer.ts";

const lookEveryMs = 5000;

export const observeReview: Observer = {
  everyMs: () => lookEveryMs,
  watches: ({ questions }) => (questions.some((each) => each.isReviewed) ? [] : undefined),
  look({ questions }, nowMs) {
    const isOver = questions.some((each) => each.isReviewed === true && each.at + maxReviewMs <= nowMs);
    return isOver ? { kind: "reviewOver", source: "transcript", at: nowMs } : undefined;
  },
};
