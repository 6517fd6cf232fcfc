// Whether the hook that waits for an answer is as hookbell wrote it: another program may have changed what its agent calls.
import { describeChanged, findChangedFiles, type StateFolder } from "../own-files/changed-files.ts";
import { machineOf, type Question } from "./questions.ts";

/**
 * Why no answer may be given to this question, such as "hookbell's hook script was changed by another program at 14:02"; undefined if one may.
 * The files of another machine are for that machine to judge.
 */
export function whyHookIsNotOurs(
  state: StateFolder,
  question: Pick<Question, "agent" | "host" | "isElsewhere">,
  nowMs: number,
): string | undefined {
  if (machineOf(question) !== undefined) return undefined;
  const [changed] = findChangedFiles(state, question.agent);
  return changed && describeChanged(changed, nowMs);
}

/** How such a question ends, as `by` of an answer. */
export function endedSince(why: string): string {
  return `ended, since ${why},`;
}
