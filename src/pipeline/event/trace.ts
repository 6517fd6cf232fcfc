// What each stage of an event has found, a line each: the journal keeps it, and `why` shows it.
import { cut } from "../../model/text.ts";

export interface StageFinding {
  stage: string;
  /** At most 200 characters: hookbell's own words, with names of rules and channels, ids and times, and none of the agent's words. */
  found: string;
}

/** Findings are in the order of the stages. */
export type Trace = readonly StageFinding[];

const maxFoundLength = 200;

/** The trace with what one more stage has found; parts that are undefined are left out. */
export function withFinding(trace: Trace, stage: string, ...parts: readonly (string | undefined)[]): Trace {
  const found = parts.filter((part) => part !== undefined).join("; ");
  return [...trace, { stage, found: cut(found, maxFoundLength) }];
}

/** `a`, `a and b`, `a, b and 3 more` */
export function someOf(names: readonly string[], most = 4): string {
  const shown = names.slice(0, most);
  const rest = names.length - shown.length;
  return rest === 0 ? shown.join(", ") : `${shown.join(", ")} and ${rest} more`;
}
