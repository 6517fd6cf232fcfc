// What a board shows of the rules: what is wrong with a broken file and which rules apply instead, and whether answers are on.
import { readRules, stampOf, type CurrentRules } from "../../pipeline/current-rules.ts";
import { positionOf } from "../../jsonc/position.ts";
import type { Layout } from "../../outbox/layout.ts";
import { insteadOfBroken } from "../../commands/pipeline/load-rules.ts";
import type { BrokenRules } from "./contract.ts";

/** `hookbell check` prints all. */
const maxProblems = 3;

export interface RulesOnPage {
  /** Undefined for good rules. */
  broken: BrokenRules | undefined;
  takesAnswers: boolean;
  current: CurrentRules;
}

/** Call the result whenever the file may have changed: it reads the file only if it has. */
export function createRulesReader(file: string, layout: Layout): () => Promise<RulesOnPage> {
  let readStamp: string | undefined;
  let found: RulesOnPage | undefined;
  return async () => {
    const stamp = stampOf(file);
    if (found !== undefined && stamp === readStamp) return found;
    const current = await readRules(file, layout);
    const { rules, problems, origin, text } = current;
    readStamp = stamp;
    const broken = { file, applies: insteadOfBroken[origin], ...listed(problems, text) };
    const takesAnswers = rules.answers !== undefined;
    return (found = { broken: problems.length === 0 ? undefined : broken, takesAnswers, current });
  };
}

function listed(
  problems: Awaited<ReturnType<typeof readRules>>["problems"],
  text: string,
): Pick<BrokenRules, "problems" | "problemCount"> {
  return {
    problems: problems.slice(0, maxProblems).map(({ message, hint, offset = 0 }) => {
      return { ...positionOf(text, offset), text: message, hint };
    }),
    problemCount: problems.length,
  };
}
