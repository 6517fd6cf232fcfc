import type { Problem } from "../../model/problem.ts";
import { positionOf } from "../../jsonc/position.ts";

/** A problem of a rules file as `--json` has it: where it is, what it is, and how to mend it. */
export function problemAsJson({ severity = "error", path, message, hint, offset = 0 }: Problem, text: string): object {
  return { severity, path, ...positionOf(text, offset), message, ...(hint === undefined ? {} : { hint }) };
}
