import { codeOf } from "../../model/errors.ts";

/** The disk is full, read-only or broken: nothing that one file could help, and fixed by somebody else. */
const troubles: ReadonlySet<string | undefined> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ESTALE",
]);

export function isStorageTrouble(error: unknown): boolean {
  return troubles.has(codeOf(error));
}

/** After it, this long passes before the next try. */
export const storageRetryMs = 5000;
