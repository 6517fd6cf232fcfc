// A folder in which nothing can be written: sees it without writing, and says what a person can do about it.
import { typedWord } from "../../model/places/user-shell.ts";
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { notRegular } from "./read.ts";

/** A hook needs at least this much space; a payload has one to a few kilobytes. */
export const payloadBytes = 16 * 1024;

/** The error that writing this many bytes would give; undefined if there is none, or no such folder. */
export function findWriteFault(folder: string, bytes: number): unknown {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bsize, bavail } = statfsSync(folder);
    return bsize * bavail < bytes ? { code: "ENOSPC" } : undefined;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? undefined : error;
  }
}

export interface Remedy {
  /** What to do, up to the command; if undefined, the command is all. */
  fix?: string;
  /** A shell command that fixes it or shows it. */
  command: string;
}

/** The remedy as the hint of an error. */
export function remedyHint(error: unknown, path: string, isState = true): string {
  const { fix, command } = remedyFor(error, path, undefined, isState);
  return fix === undefined ? command : `${fix}\n${command}`;
}

/** What to do about a system error at this path, which need not exist. `isState`: the path is in the state folder, which can be moved. */
export function remedyFor(
  error: unknown,
  path: string,
  ownId: number | null = process.getuid?.() ?? null,
  isState = true,
): Remedy {
  const elsewhere = isState ? ", or set HOOKBELL_STATE_DIR to another folder; to look at it:" : "; to look at it:";
  const code = codeOf(error) ?? "";
  const found = nearest(path);
  const word = typedWord(found.path);
  const look = ownId === null ? `dir ${word}` : `ls -ld ${word}`;
  const lookAtDisk = ownId === null ? look : `df -h ${word}`;
  if (code === "ENOSPC" || code === "EDQUOT") return { fix: `free some space${elsewhere}`, command: lookAtDisk };
  if (code === "EROFS") return { fix: `make its file system writable again${elsewhere}`, command: lookAtDisk };
  const { uid, mode, isFolder } = found;
  if (uid !== undefined && ownId !== null && (code === "EACCES" || code === "EPERM")) {
    const wanted = isFolder ? 0o700 : 0o600;
    if (uid !== ownId) {
      const use = isState ? "set HOOKBELL_STATE_DIR to a folder of your own" : "run this as its owner, or move it away";
      return { fix: `${found.path} belongs to user ${uid}; ${use}; to look at it:`, command: look };
    }
    if ((mode & wanted) !== wanted) return { command: `chmod ${wanted.toString(8)} ${word}` };
  }
  return { fix: `${misplaced.has(code) ? "move what is there away" : "fix that"}${elsewhere}`, command: look };
}

/** Something of another kind is in the place of a file or a folder. */
const misplaced: ReadonlySet<string> = new Set(["ENOTDIR", "EISDIR", "EEXIST", "EFBIG", "ELOOP", notRegular]);

interface Found {
  path: string;
  uid?: number;
  mode: number;
  isFolder: boolean;
}

/** What is at the path, or else the nearest folder above it that can be looked at. */
function nearest(path: string): Found {
  try {
    const stats = statSync(path);
    return { path, uid: stats.uid, mode: stats.mode, isFolder: stats.isDirectory() };
  } catch {
    const parent = dirname(path);
    return parent === path ? { path, mode: 0, isFolder: true } : nearest(parent);
  }
}
