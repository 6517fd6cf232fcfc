// Trouble with the disk that is not one file's, and passes.
import { codeOf } from "../../model/errors.ts";

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

export const storageRetryMs = 5000;
