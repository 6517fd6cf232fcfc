// A problem at its place in the rules file, and how many are reported.
import type { Node } from "jsonc-parser";
import type { Problem } from "../../model/errors.ts";

/** The search stops here, so that no file keeps the dispatcher busy. */
export const maxProblems = 100;

export function problemAt(
  { offset, length }: Node,
  path: readonly string[],
  problem: Pick<Problem, "message" | "hint" | "severity">,
): Problem {
  return { path: path.join("."), offset, length, ...problem };
}
