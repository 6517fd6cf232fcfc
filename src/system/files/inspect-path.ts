// What is at a path, where a failure to look is an answer too.
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { statIfThere } from "./files.ts";

/** False also where it cannot be looked at. */
export function isAbsent(path: string): boolean {
  try {
    return statIfThere(path) === undefined;
  } catch {
    return false;
  }
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Undefined where it is in none. */
export function repositoryAbove(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!isAbsent(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Throws where there is something that cannot be listed; a missing folder is fine. */
export function requireFolder(path: string): void {
  try {
    readdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
