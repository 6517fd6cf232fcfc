import type { Outcome } from "../outcome.ts";
import { redact } from "./redact.ts";
import { cut, printableLine } from "../text.ts";

/** In code points: what is said about an attempt stands on one line of the journal. */
export const maxDetailLength = 400;

/** The outcome with a detail of one line, cut to its length, in which none of these settings' secrets stands. */
export function withoutSecrets<T extends Outcome>(outcome: T, settings: unknown): T {
  if (outcome.detail === undefined) return outcome;
  // Redacted when it is printable, since that may put a secret together; before it is cut: half of one is not recognised.
  return { ...outcome, detail: cut(redact(printableLine(outcome.detail), settings), maxDetailLength) };
}
