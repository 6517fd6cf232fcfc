import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { renamePatiently } from "./rename-with-retry.ts";
import { uniqueName } from "../unique-name.ts";

/** Readable by the owner alone. */
export const privateFileMode = 0o600;
export const privateDirMode = 0o700;

/** Makes the folder and its parents; only the folder itself is made private, and only when it is new. */
export function ensurePrivateDir(path: string): void {
  const firstMade = mkdirSync(path, { recursive: true, mode: privateDirMode });
  // mkdir's mode is weakened by the umask, never widened, except that a loose umask cannot loosen 0700.
  if (firstMade !== undefined) chmodSync(path, privateDirMode);
}

/** Makes sure that what was renamed in a folder stays so when the power fails. */
export function syncDir(path: string): void {
  // Windows cannot open a folder for syncing; its rename is journaled.
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The same for what was written without waiting, many files of one folder at once: most disks then wait once, not for each. */
export function syncFiles(dir: string, names: readonly string[]): void {
  for (const name of names) {
    const descriptor = openSync(join(dir, name), "r+");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
  syncDir(dir);
}

/** Names that start with this are being written and are not there yet. */
export const asidePrefix = ".tmp-";

/**
 * Writes the whole file or nothing: aside, synced, renamed, folder synced. The folder must exist.
 * Throws the system's error (`ENOSPC`, `EROFS`, `EACCES`); nothing is left behind then.
 */
export function writeWhole(path: string, content: string | Uint8Array, mode: number = privateFileMode): void {
  replaceWhole(path, content, mode, true);
  syncDir(dirname(path));
}

/** As `writeWhole`, without waiting for the disk: for what may be lost, or be old again, when the power fails. */
export function writeWholeSoon(path: string, content: string): void {
  replaceWhole(path, content, privateFileMode, false);
}

function replaceWhole(path: string, content: string | Uint8Array, mode: number, isSynced: boolean): void {
  const aside = join(dirname(path), `${asidePrefix}${uniqueName(Date.now())}`);
  try {
    const descriptor = openSync(aside, "wx", mode);
    try {
      writeFileSync(descriptor, content);
      if (isSynced) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renamePatiently(aside, path);
  } catch (error) {
    tryToRemove(aside);
    throw naming(error, path);
  }
}

/** Errors of calls on an open file do not say which one it was. */
export function naming(error: unknown, path: string): unknown {
  return error instanceof Error && !("path" in error) ? Object.assign(error, { path }) : error;
}

/** For what an error has left behind: the error itself says more than that it cannot be cleaned up. */
export function tryToRemove(path: string): void {
  try {
    removeIfThere(path);
  } catch {
    // The sweep takes it later.
  }
}

/** Sets the modification time, in milliseconds since the epoch; false when there is no such file. */
export function touch(path: string, mtimeMs: number): boolean {
  try {
    utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Adds a line at the end of a file, which is made private when it is new. One write, so lines never interleave. */
export function appendLine(path: string, line: string): void {
  appendFileSync(path, `${line}\n`, { mode: privateFileMode });
}

/** The file's text, or undefined when there is no such file. */
export function readIfThere(path: string): string | undefined {
  return readBytesIfThere(path)?.toString("utf8");
}

/** The file's bytes, or undefined when there is no such file. */
export function readBytesIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The file's text from a byte offset on, and its size in bytes; nothing when there is no such file. */
export function readFrom(path: string, offset: number): { text: string; bytes: number } {
  const content = readBytesIfThere(path) ?? Buffer.alloc(0);
  return { text: content.subarray(offset).toString("utf8"), bytes: content.length };
}

/** Copies the file to a path where none is yet; false when there is no such file. */
export function copyIfThere(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Removes the file; true when it was there. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Removes the file, or the folder with all that is in it; true when it was there. */
export function removeTree(path: string): boolean {
  if (statIfThere(path) === undefined) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}

/** Renames; false when the source was gone already, because somebody else took it. */
export function renameIfThere(from: string, to: string): boolean {
  try {
    renamePatiently(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Names in a folder in ascending order, without those still being written; empty when there is no folder. */
export function listNames(dir: string): string[] {
  return listAll(dir)
    .filter((name) => !name.startsWith(asidePrefix))
    .sort();
}

/** Names of what is being written in a folder, or was when its writer was killed. */
export function listAside(dir: string): string[] {
  return listAll(dir).filter((name) => name.startsWith(asidePrefix));
}

function listAll(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export interface FileStats {
  /** Milliseconds since the epoch. */
  mtimeMs: number;
  bytes: number;
  mode: number;
  isFile: boolean;
}

/** What the system knows of a file, or of a folder; undefined when there is none. */
export function statIfThere(path: string): FileStats | undefined {
  try {
    const stats = statOrLink(path);
    return { mtimeMs: stats.mtimeMs, bytes: stats.size, mode: stats.mode & 0o777, isFile: stats.isFile() };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Links that lead in a circle are things by themselves, which can at least be moved away. */
function statOrLink(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if (codeOf(error) === "ELOOP") return lstatSync(path);
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
