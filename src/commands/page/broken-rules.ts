// What is wrong with the rules file while it is broken, and which rules apply instead.
import { readRules, stampOf } from "../../dispatch/current-rules.ts";
import { positionOf } from "../../jsonc/position.ts";
import type { Layout } from "../../outbox/layout.ts";
import { insteadOfBroken } from "../pipeline/load-rules.ts";
import type { BrokenRules } from "./contract.ts";

/** `hookbell check` prints all. */
const maxProblems = 3;

/** Call the result whenever the file may have changed: it reads the file only if it has. Undefined for good rules. */
export function createBrokenRulesReader(file: string, layout: Layout): () => Promise<BrokenRules | undefined> {
  let readStamp = "";
  let found: BrokenRules | undefined;
  return async () => {
    const stamp = stampOf(file);
    if (stamp === readStamp) return found;
    const { problems, origin, text } = await readRules(file, layout);
    readStamp = stamp;
    found = problems.length === 0 ? undefined : { file, applies: insteadOfBroken[origin], ...listed(problems, text) };
    return found;
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
