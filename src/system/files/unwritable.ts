// A folder in which nothing can be written: sees it without writing, and says what a person can do about it.
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { shellWord } from "../../model/text.ts";

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
export function remedyHint(error: unknown, path: string): string {
  const { fix, command } = remedyFor(error, path);
  return fix === undefined ? command : `${fix}\n${command}`;
}

/** What to do about a system error at this path, which need not exist. */
export function remedyFor(error: unknown, path: string, ownId: number | null = process.getuid?.() ?? null): Remedy {
  const elsewhere = "or set HOOKBELL_STATE_DIR to another folder; to look at it:";
  const code = codeOf(error) ?? "";
  const found = nearest(path);
  const word = shellWord(found.path);
  const look = ownId === null ? `dir ${word}` : `ls -ld ${word}`;
  const lookAtDisk = ownId === null ? look : `df -h ${word}`;
  if (code === "ENOSPC" || code === "EDQUOT") return { fix: `free some space, ${elsewhere}`, command: lookAtDisk };
  if (code === "EROFS") return { fix: `make its file system writable again, ${elsewhere}`, command: lookAtDisk };
  const { uid, mode, isFolder } = found;
  if (uid !== undefined && ownId !== null && (code === "EACCES" || code === "EPERM")) {
    const wanted = isFolder ? 0o700 : 0o600;
    if (uid !== ownId) {
      const fix = `${found.path} belongs to user ${uid}; set HOOKBELL_STATE_DIR to a folder of your own; to look at it:`;
      return { fix, command: look };
    }
    if ((mode & wanted) !== wanted) return { command: `chmod ${wanted.toString(8)} ${word}` };
  }
  const repair = code === "ENOTDIR" || code === "EEXIST" ? "move what is there away" : "fix that";
  return { fix: `${repair}, ${elsewhere}`, command: look };
}

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
