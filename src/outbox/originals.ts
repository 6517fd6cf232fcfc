// What a masked name or path was before a credential in it was masked. Only this process's memory has it: no file of the state does.
import { scrub } from "../model/privacy/scrub.ts";
import { sha256 } from "../system/crypto.ts";

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
  if (found.length > 0) return keep(masked, text);
  if (text.length > maxCachedLength) return text;
  if (cleanTexts.size >= maxKept) cleanTexts.clear();
  cleanTexts.add(text);
  return text;
}

const hidden = /^\[hidden path [\da-f]+\]$/;

/** A path that no one is shown, such as a transcript's: agents write a folder's name into it in a way of their own, which is not recognised. */
export function hidePath(path: string): string {
  return hidden.test(path) ? path : keep(`[hidden path ${sha256(path).slice(0, 16)}]`, path);
}

/** Undefined where another process has hidden it. */
export function hiddenPath(path: string | undefined): string | undefined {
  const original = path === undefined ? undefined : originalOf(path);
  return original === undefined || hidden.test(original) ? undefined : original;
}

/** An id stays one: events of one session are told apart from those of others. */
export function maskId(id: string): string {
  return maskText(id) === id ? id : sha256(id).slice(0, 32);
}

/** The text itself where it has not been masked, or where another process did so. */
export function originalOf(text: string): string {
  return originals.get(text) ?? text;
}

function keep(masked: string, original: string): string {
  if (originals.size >= maxKept) originals.clear();
  const isOther = originals.has(masked) && originals.get(masked) !== original;
  originals.set(masked, isOther ? undefined : original);
  return masked;
}
