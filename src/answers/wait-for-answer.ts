// The hook's wait for an answer. It never invents one: whatever goes wrong ends without a decision.
import type { Answer } from "../model/answer.ts";
import type { Layout } from "../outbox/layout.ts";
import type { Clock } from "../system/clock.ts";
import { watchFolder } from "../system/files/watch.ts";
import { choicesOf } from "./give-answer.ts";
import {
  createAnswer,
  endsAt,
  markObeyed,
  questionsFolder,
  readAnswer,
  readQuestion,
  type Question,
} from "./questions.ts";

/** If no channel shows the question within this time, a terminal that shows nothing meanwhile is not kept waiting for one. */
const shownWithinMs = 20_000;
const lookEveryMs = 1000;

export interface Wait {
  clock: Clock;
  /** The agent ends the hook. */
  stop: AbortSignal;
  /** This process waits no longer, and the question stays open for another one. */
  leave?: AbortSignal;
  /** Starts a dispatcher where the last one is gone. */
  wake(): void;
}

/** The decision to obey; undefined for none. Never throws. */
export async function waitForAnswer(layout: Layout, question: Question, wait: Wait): Promise<Answer | undefined> {
  try {
    await untilOver(layout, question, wait);
    const answer = readAnswer(layout, question.id);
    if (answer === undefined || answer.choice === "none" || !choicesOf(question).includes(answer.choice))
      return undefined;
    // The machine may have slept since.
    if (wait.clock.now() >= endsAt(readQuestion(layout, question.id) ?? question)) return undefined;
    return markObeyed(layout, question.id, wait.clock.now()) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** When it returns, the answer's file is there: the person's, or the hook's own that says why there is none. */
async function untilOver(layout: Layout, question: Question, wait: Wait): Promise<void> {
  const { clock, stop, leave, wake } = wait;
  const { id } = question;
  let signal = (): void => {};
  const unwatch = watchFolder(questionsFolder(layout), () => signal(), { isKeepingAlive: true });
  const onStop = (): void => signal();
  stop.addEventListener("abort", onStop);
  leave?.addEventListener("abort", onStop);
  try {
    while (readAnswer(layout, id) === undefined) {
      if (leave?.aborted === true) return;
      const why = whyOver(layout, question, wait);
      if (why !== undefined) {
        createAnswer(layout, id, { choice: "none", ...why, at: clock.now() });
        return;
      }
      const woken = new Promise<void>((resolve) => (signal = resolve));
      const cancel = clock.after(lookEveryMs, () => signal());
      await woken;
      cancel();
      wake();
    }
  } finally {
    unwatch();
    stop.removeEventListener("abort", onStop);
    leave?.removeEventListener("abort", onStop);
  }
}

const atTerminal = "answered at the terminal";

function whyOver(
  layout: Layout,
  { id, askedAt, expiresAt }: Question,
  { clock, stop }: Pick<Wait, "clock" | "stop">,
): Pick<Answer, "by" | "isUnanswered"> | undefined {
  const nowMs = clock.now();
  // The agent ends its hook once it is answered; a terminal that is closed ends both.
  if (stop.aborted) return { by: stop.reason === "SIGHUP" ? "its terminal was closed" : atTerminal };
  const now = readQuestion(layout, id);
  if (nowMs >= (now === undefined ? expiresAt : endsAt(now))) return { by: "no answer came", isUnanswered: true };
  if (now === undefined) return { by: "the question is gone" };
  const isShown = now.shown.length > 0 || now.isOnPage === true;
  if (isShown || now.showsDialog === true || nowMs < askedAt + shownWithinMs) return undefined;
  return { by: "no channel could show it", isUnanswered: true };
}
