import { scrub } from "./scrub.ts";
import { cut, printableLine } from "../text.ts";

/** In characters: as much as tells one question from another. */
const longest = 60;

/** The beginning of a text on one line, without credentials: these go first, since half of one would not be known. */
export function firstWords(text: string): string {
  return cut(printableLine(scrub(text).text), longest);
}
