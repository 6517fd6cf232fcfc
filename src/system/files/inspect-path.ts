import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { statIfThere } from "./files.ts";

/** Whether nothing lies at the path, for sure: what cannot be looked at may be there. */
export function isAbsent(path: string): boolean {
  try {
    return statIfThere(path) === undefined;
  } catch {
    return false;
  }
}

/** Whether a symbolic link lies at the path; where no file can be read there, it is a broken one. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The folder of the git repository that a file lies in; undefined where it lies in none. */
export function repositoryAbove(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!isAbsent(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Throws the system's error (`EACCES`, `ENOTDIR`) where there is something that cannot be looked into as a folder; a missing one is fine. */
export function requireFolder(path: string): void {
  try {
    readdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
