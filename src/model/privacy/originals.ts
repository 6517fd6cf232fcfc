// What a masked name or path was before a credential in it was masked. Only this process's memory has it: no file of the state does.
import { scrub } from "./scrub.ts";

/** The keys are masked texts. Undefined where two originals look the same once they are masked. */
const originals = new Map<string, string | undefined>();
const maxKept = 1000;
/** Names of folders and branches come again with every event, and a session's words with every record of it. */
const cleanTexts = new Set<string>();
const maxCachedLength = 500;

/** The text without credentials; `originalOf` gives it back while this process runs. */
export function maskText(text: string): string {
  if (cleanTexts.has(text)) return text;
  const { text: masked, found } = scrub(text);
  if (found.length > 0) return keepOriginal(masked, text);
  if (text.length > maxCachedLength) return text;
  if (cleanTexts.size >= maxKept) cleanTexts.clear();
  cleanTexts.add(text);
  return text;
}

/** The text itself where it has not been masked, or where another process did so. */
export function originalOf(text: string): string {
  return originals.get(text) ?? text;
}

/** Remembers what stood in the place of `masked`, and returns that. */
export function keepOriginal(masked: string, original: string): string {
  if (originals.size >= maxKept) originals.clear();
  const isOther = originals.has(masked) && originals.get(masked) !== original;
  originals.set(masked, isOther ? undefined : original);
  return masked;
}
