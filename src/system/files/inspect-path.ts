// What is at a path, where a failure to look is an answer too.
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { shellWord } from "../../model/shell-word.ts";
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

export function repositoryAbove(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!isAbsent(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A missing folder is fine. */
export function requireFolder(path: string): void {
  try {
    readdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

export interface Distrust {
  path: string;
  why: string;
  fix: string;
}

/** ssh asks the same of its own files. Undefined also if nothing is there. */
export function findDistrust(path: string, ownId = process.getuid?.()): Distrust | undefined {
  if (ownId === undefined || isAbsent(path)) return undefined;
  const real = realpathSync(path);
  for (const each of new Set([dirname(path), dirname(real), real])) {
    const { uid, gid, mode } = statSync(each);
    const isFolder = each !== real;
    if (uid !== ownId && uid !== 0) {
      return { path: each, why: `belongs to user ${uid}, who can change it`, fix: `chown ${ownId} ${shellWord(each)}` };
    }
    // In a folder such as /tmp, only its owner can replace a file.
    if (isFolder && (mode & stickyBit) !== 0) continue;
    // Many systems give each user a group of the same number.
    if ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === ownId)) continue;
    const shown = (mode & 0o777).toString(8);
    return { path: each, why: `can be changed by other users (mode ${shown})`, fix: `chmod go-w ${shellWord(each)}` };
  }
  return undefined;
}

const stickyBit = 0o1000;
